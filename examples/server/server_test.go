// Package server_test counts the traces of both versions of the server.
package server_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/gomlx/compute/gobackend"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/examples/server/after"
	"github.com/tracelint/tracelint/examples/server/before"
	"github.com/tracelint/tracelint/harness"
	"github.com/tracelint/tracelint/tracecheck"
)

func newBefore(t *testing.T, rec *harness.Recorder) *before.Server {
	t.Helper()
	backend, err := gobackend.New("")
	require.NoError(t, err)
	return before.New(rec, backend, newStore(t))
}

func newAfter(t *testing.T, rec *harness.Recorder) *after.Server {
	t.Helper()
	backend, err := gobackend.New("")
	require.NoError(t, err)
	server, err := after.New(rec, backend, newStore(t))
	require.NoError(t, err)
	return server
}

// newStore returns a store whose variables get the same weights each time.
func newStore(t *testing.T) *model.Store {
	t.Helper()
	store := model.NewStore()
	require.NoError(t, store.SetRNGStateFromSeed(1))
	return store
}

// textsOf returns one text for each number of words.
func textsOf(lengths ...int) []string {
	texts := make([]string, len(lengths))
	for i, length := range lengths {
		for n := range length {
			texts[i] += strings.Repeat("x", n%9+1) + " "
		}
	}
	return texts
}

func post(t *testing.T, server http.Handler, texts []string) *httptest.ResponseRecorder {
	t.Helper()
	body, err := json.Marshal(texts)
	require.NoError(t, err)
	response := httptest.NewRecorder()
	server.ServeHTTP(response, httptest.NewRequest(http.MethodPost, "/", strings.NewReader(string(body))))
	return response
}

// Each request traces each length that occurs in it, also those that earlier requests had.
func TestBefore(t *testing.T) {
	rec := tracecheck.Record(t)
	server := newBefore(t, rec)
	for range 3 {
		tracecheck.ExpectTraces(t, rec, 2, func() { post(t, server, textsOf(3, 5, 3)) })
	}
}

// The 33rd length of one request does not fit into the wrapper's cache.
func TestBeforeFails(t *testing.T) {
	lengths := make([]int, 33)
	for i := range lengths {
		lengths[i] = i + 1
	}
	response := post(t, newBefore(t, harness.NewRecorder()), textsOf(lengths...))
	require.Equal(t, http.StatusInternalServerError, response.Code)
	require.Contains(t, response.Body.String(), "maximum cache size of 32 reached")
}

func TestAfter(t *testing.T) {
	rec := tracecheck.Record(t)
	var server *after.Server
	tracecheck.ExpectTraces(t, rec, 4, func() { server = newAfter(t, rec) })
	tracecheck.Freeze(t, rec)
	var requests sync.WaitGroup
	for range 4 {
		requests.Go(func() {
			for length := 1; length <= 64; length++ {
				post(t, server, textsOf(length))
			}
		})
	}
	requests.Wait()
	require.EqualValues(t, 4*64, server.Texts.Load())
	require.Zero(t, server.LateTraces.Load())
}

func TestAfterRefusesLengths(t *testing.T) {
	server := newAfter(t, harness.NewRecorder())
	for _, length := range []int{0, 65} {
		require.Equal(t, http.StatusBadRequest, post(t, server, textsOf(length)).Code)
	}
}

// A trace while serving is counted: here of another wrapper that is recorded in the same recorder.
func TestLateTracesAreCounted(t *testing.T) {
	rec := harness.NewRecorder()
	server := newAfter(t, rec)
	post(t, newBefore(t, rec), textsOf(3))
	require.EqualValues(t, 1, server.LateTraces.Load())
}

func TestSameScores(t *testing.T) {
	texts := textsOf(1, 3, 8, 9, 64)
	old, repaired := post(t, newBefore(t, harness.NewRecorder()), texts), post(t, newAfter(t, harness.NewRecorder()), texts)
	var want, got []float32
	require.NoError(t, json.Unmarshal(old.Body.Bytes(), &want))
	require.NoError(t, json.Unmarshal(repaired.Body.Bytes(), &got))
	require.Len(t, want, len(texts))
	require.InDeltaSlice(t, want, got, 1e-5)
}
