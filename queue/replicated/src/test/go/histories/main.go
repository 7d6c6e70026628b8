// Checks histories of calls of a queue with Porcupine. Usage: histories [-timeout 60s] FILE...
//
// A file has the lines of CallingMember: "call CLIENT NUMBER NANOS CALL [VALUE]" and "return CLIENT NUMBER NANOS RESULT". The queue is empty at
// the beginning. A call with the result "refused" was not made. A call without a result, or with the result "unknown", may take effect at any
// time after it began: also behind the last one, which is as if it were not made.
//
// Prints a line for each file: linearizable, not linearizable (with the name of a page that shows the history), or undecided. The exit code is 0
// if all are linearizable, 1 if one is not or is undecided, and 2 if a file cannot be read.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"math"
	"os"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
)

type call struct {
	client string
	name   string
	value  string
}

// state is the elements in the order of the queue, and those on lease, sorted; both separated by spaces. Leases do not end by their time within
// a history.
type state struct {
	queue  string
	leased string
}

func (s state) head() (string, state) {
	first, rest, _ := strings.Cut(s.queue, " ")
	return first, state{rest, s.leased}
}

func (s state) offer(value string) state {
	if s.queue == "" {
		return state{value, s.leased}
	}
	return state{s.queue + " " + value, s.leased}
}

func (s state) lease(value string) state {
	all := append(strings.Fields(s.leased), value)
	sort.Strings(all)
	return state{s.queue, strings.Join(all, " ")}
}

// acknowledge returns whether value was on lease.
func (s state) acknowledge(value string) (bool, state) {
	var rest []string
	for _, each := range strings.Fields(s.leased) {
		if each != value {
			rest = append(rest, each)
		}
	}
	left := state{s.queue, strings.Join(rest, " ")}
	return left != s, left
}

// removals has the calls that took each element out of the queue.
type removals map[string]entry

// mayFollow returns whether a value may stand behind all of the queue: not if it was taken before one of them was asked for. Without this the
// search finds a wrong order of offers only when they are taken, and takes exponential time.
func (r removals) mayFollow(s state, value string) bool {
	own, isTaken := r[value]
	for _, each := range strings.Fields(s.queue) {
		if other, found := r[each]; isTaken && found && own.returned < other.begun {
			return false
		}
	}
	return true
}

// step returns whether a call may have a result in a state, and the next state.
func (r removals) step(s state, c call, result string) (bool, state) {
	unknown := result == "unknown"
	switch c.name {
	case "offer":
		return (unknown || result == "true") && r.mayFollow(s, c.value), s.offer(c.value)
	case "ack":
		was, next := s.acknowledge(c.value)
		return unknown || result == strconv.FormatBool(was), next
	case "peek":
		if s.queue == "" {
			return unknown || result == "none", s
		}
		first, _ := s.head()
		return unknown || result == first, s
	case "poll", "lease":
		if s.queue == "" {
			return unknown || result == "none", s
		}
		first, rest := s.head()
		if c.name == "lease" {
			rest = rest.lease(first)
		}
		return unknown || result == first, rest
	}
	panic("not a call: " + c.name)
}

func (r removals) model() porcupine.Model {
	return porcupine.Model{
		Init: func() interface{} { return state{} },
		Step: func(s, input, output interface{}) (bool, interface{}) {
			ok, next := r.step(s.(state), input.(call), output.(string))
			return ok, next
		},
		Equal: func(a, b interface{}) bool { return a == b },
		DescribeOperation: func(input, output interface{}) string {
			c := input.(call)
			return strings.TrimSpace(c.name+" "+c.value) + " -> " + output.(string)
		},
	}
}

type entry struct {
	call     call
	begun    int64
	returned int64
	result   string
}

func read(file string) ([]entry, error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var entries []entry
	index := map[string]int{}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		if len(words) < 5 {
			return nil, fmt.Errorf("%s: not a line of a history: %s", file, lines.Text())
		}
		key := words[1] + " " + words[2]
		nanos, err := strconv.ParseInt(words[3], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		switch words[0] {
		case "call":
			index[key] = len(entries)
			value := ""
			if len(words) > 5 {
				value = words[5]
			}
			entries = append(entries, entry{call{words[1], words[4], value}, nanos, math.MaxInt64, "unknown"})
		case "return":
			i, found := index[key]
			if !found {
				return nil, fmt.Errorf("%s: no call: %s", file, lines.Text())
			}
			entries[i].result = words[4]
			if words[4] != "unknown" {
				entries[i].returned = nanos
			}
		default:
			return nil, fmt.Errorf("%s: not a line of a history: %s", file, lines.Text())
		}
	}
	return entries, lines.Err()
}

func check(file string, timeout time.Duration) (bool, error) {
	entries, err := read(file)
	if err != nil {
		return false, err
	}
	var operations []porcupine.Operation
	clients := map[string]int{}
	nextClient, unknown, refused := 0, 0, 0
	removed := removals{}
	for _, e := range entries {
		if e.call.name == "poll" || e.call.name == "lease" {
			removed[e.result] = e
		}
		if e.result == "refused" {
			refused++
			continue
		}
		client, found := clients[e.call.client]
		if !found {
			client = nextClient
			clients[e.call.client] = client
			nextClient++
		}
		if e.result == "unknown" {
			unknown++
			delete(clients, e.call.client) // its later calls are those of another one
		}
		operations = append(operations, porcupine.Operation{
			ClientId: client, Input: e.call, Call: e.begun, Output: e.result, Return: e.returned})
	}
	model := removed.model()
	result, info := porcupine.CheckOperationsVerbose(model, operations, timeout)
	verdict := map[porcupine.CheckResult]string{
		porcupine.Ok: "linearizable", porcupine.Illegal: "not linearizable", porcupine.Unknown: "undecided"}[result]
	page := ""
	if result == porcupine.Illegal {
		page = " page=" + file + ".html"
		if err := porcupine.VisualizePath(model, info, file+".html"); err != nil {
			return false, err
		}
	}
	fmt.Printf("%s: %s calls=%d unknown=%d refused=%d%s\n", file, verdict, len(operations), unknown, refused, page)
	return result == porcupine.Ok, nil
}

func main() {
	timeout := flag.Duration("timeout", time.Minute, "longest time for a history")
	flag.Parse()
	good := true
	for _, file := range flag.Args() {
		ok, err := check(file, *timeout)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		good = good && ok
	}
	if !good {
		os.Exit(1)
	}
}
