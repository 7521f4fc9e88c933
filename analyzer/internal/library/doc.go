// Package library says what the functions of the standard library, and of a
// few modules that nearly every program shares (loggers, uuid, errgroup,
// testify), do when they are called.
//
// The table is closed-world: a function of a covered package that has no line
// has no effect, and the bodies of covered packages are never analysed. Letting
// an analysis discover the effects of the standard library is what floods such
// tools with false findings: half of it reads a debug setting, takes a lock or
// prints in a branch that nobody reaches.
//
// # Format
//
// The table is text, one function a line, in data/*.txt:
//
//	NAME ACTION [; ACTION ...]
//
// A # starts a comment. NAME is what [go/types.Func.FullName] prints, without
// type parameters; an action is a [Verb] with its operands:
//
//	fmt.Println                        print
//	fmt.Fprintf                        print arg0
//	(*log.Logger).Panic                print recv; abort
//	(*sync.Map).Store                  keep arg0 arg1 in recv
//	(*github.com/rs/zerolog.Event).*   alias recv
//	package database/sql               io
//
// The operands of a call are recv, arg0, arg1, ..., args (whatever is passed
// for the variadic parameter) and result. Several operands make several
// actions. A method stands under the type that declares it: Fatal of a
// *testing.T is (*testing.common).Fatal, Write of an io.ReadWriter is
// (io.Writer).Write.
//
// A name that ends in .* stands for the methods of a type that have no line of
// their own, "package PATH" for the functions and methods of a package that
// neither have a line nor a type with one. The action none says that nothing
// happens; it takes a function out of its type's or package's line, and
// "package PATH none" covers a package that does nothing.
package library
