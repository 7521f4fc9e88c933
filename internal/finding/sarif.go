package finding

import (
	"encoding/json"
	"io"
	"strings"

	"github.com/tracelint/tracelint/analyzer"
	"github.com/tracelint/tracelint/internal/clip"
	"github.com/tracelint/tracelint/internal/rulepage"
)

// Log is what a SARIF file tells of one run.
type Log struct {
	Version  string // of tracelint; may be empty
	Root     string // directory that files are relative to
	Findings []Finding
	Errors   []string // why some packages were not analysed
}

// The parts of a SARIF 2.1.0 file that tracelint writes. Source: OASIS, Static Analysis Results Interchange Format
// (SARIF) Version 2.1.0 Plus Errata 01.
type (
	sarifFile struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}

	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		ColumnKind  string            `json:"columnKind"`
		Results     []sarifResult     `json:"results"` // empty, not null: nothing was found
	}

	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}

	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version,omitempty"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}

	sarifRule struct {
		ID                   string       `json:"id"`
		ShortDescription     sarifText    `json:"shortDescription"`
		FullDescription      sarifText    `json:"fullDescription"`
		Help                 sarifText    `json:"help"`
		HelpURI              string       `json:"helpUri"`
		DefaultConfiguration sarifDefault `json:"defaultConfiguration"`
	}

	sarifText struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown,omitempty"`
	}

	sarifDefault struct {
		Level string `json:"level"`
	}

	sarifInvocation struct {
		ExecutionSuccessful bool                `json:"executionSuccessful"`
		Notifications       []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}

	sarifNotification struct {
		Level   string    `json:"level"`
		Message sarifText `json:"message"`
	}

	sarifResult struct {
		RuleID              string            `json:"ruleId"`
		RuleIndex           int               `json:"ruleIndex"`
		Level               string            `json:"level"`
		Message             sarifText         `json:"message"`
		Locations           []sarifLocation   `json:"locations"`
		RelatedLocations    []sarifLocation   `json:"relatedLocations,omitempty"`
		PartialFingerprints map[string]string `json:"partialFingerprints"`
	}

	sarifLocation struct {
		PhysicalLocation sarifPhysical  `json:"physicalLocation"`
		LogicalLocations []sarifLogical `json:"logicalLocations,omitempty"`
		Message          *sarifText     `json:"message,omitempty"`
	}

	sarifPhysical struct {
		ArtifactLocation sarifArtifact `json:"artifactLocation"`
		Region           sarifRegion   `json:"region"`
	}

	sarifArtifact struct {
		URI       string `json:"uri"`
		URIBaseID string `json:"uriBaseId,omitempty"`
	}

	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine"`
		EndColumn   int `json:"endColumn"`
	}

	sarifLogical struct {
		FullyQualifiedName string `json:"fullyQualifiedName"`
	}
)

const (
	sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

	// sarifRoot stands for the root of the checkout, which the reader of a file knows.
	sarifRoot = "%SRCROOT%"

	// fingerprintName ends in the version of what fingerprints are made of.
	fingerprintName = "tracelint/v1"
)

// WriteSARIF writes a SARIF 2.1.0 file.
func (l Log) WriteSARIF(w io.Writer) error {
	run := sarifRun{
		Tool: sarifTool{sarifDriver{
			Name: "tracelint", Version: l.Version, InformationURI: "https://github.com/tracelint/tracelint",
		}},
		Invocations: []sarifInvocation{{ExecutionSuccessful: len(l.Errors) == 0}},
		ColumnKind:  "unicodeCodePoints",
		Results:     []sarifResult{},
	}
	for _, message := range l.Errors {
		run.Invocations[0].Notifications = append(run.Invocations[0].Notifications,
			sarifNotification{"error", sarifText{Text: message}})
	}
	indices := make(map[string]int)
	for i, rule := range analyzer.Rules() {
		indices[rule.Name] = i
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{
			ID:                   rule.Name,
			ShortDescription:     sarifText{Text: rule.Title},
			FullDescription:      sarifText{Text: rule.Text},
			Help:                 sarifText{Text: rule.Text, Markdown: rulepage.Markdown(rule)},
			HelpURI:              rule.URL,
			DefaultConfiguration: sarifDefault{rule.Severity.String()},
		})
	}
	for _, f := range l.Findings {
		run.Results = append(run.Results, l.result(f, indices[f.Rule]))
	}
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(sarifFile{sarifSchema, "2.1.0", []sarifRun{run}}); err != nil {
		return err
	}
	_, err := io.WriteString(w, clip.JSON(text.String()))
	return err
}

func (l Log) result(f Finding, rule int) sarifResult {
	at := l.location(f.Region)
	if f.Func != "" {
		at.LogicalLocations = []sarifLogical{{f.Package + "." + f.Func}}
	}
	result := sarifResult{
		RuleID:              f.Rule,
		RuleIndex:           rule,
		Level:               f.Severity.String(),
		Message:             sarifText{Text: f.Message},
		Locations:           []sarifLocation{at},
		PartialFingerprints: map[string]string{fingerprintName: f.Fingerprint},
	}
	for _, r := range f.Related {
		related := l.location(r.Region)
		related.Message = &sarifText{Text: r.Message}
		result.RelatedLocations = append(result.RelatedLocations, related)
	}
	return result
}

func (l Log) location(r Region) sarifLocation {
	artifact := sarifArtifact{}
	var relative bool
	if artifact.URI, relative = uri(l.Root, r.File); relative {
		artifact.URIBaseID = sarifRoot
	}
	return sarifLocation{PhysicalLocation: sarifPhysical{artifact, sarifRegion{r.StartLine, r.StartColumn, r.EndLine, r.EndColumn}}}
}
