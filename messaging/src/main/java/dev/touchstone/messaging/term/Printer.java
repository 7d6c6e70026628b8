package dev.touchstone.messaging.term;

import java.util.ArrayDeque;
import java.util.Deque;

/** A printer of terms of any depth in Erlang's syntax. Terms that are still to be printed, and text between them, are kept on the heap. */
final class Printer {
    private final StringBuilder out = new StringBuilder();
    private final Deque<Object> pending = new ArrayDeque<>(); // Term or String

    private Printer() {}

    static String print(Term term) {
        Printer printer = new Printer();
        printer.pending.push(term);
        while (!printer.pending.isEmpty()) {
            printer.next(printer.pending.pop());
        }
        return printer.out.toString();
    }

    private void next(Object next) {
        if (next instanceof Tuple tuple) {
            out.append('{');
            pending.push("}");
            for (int i = tuple.size() - 1; i >= 0; i--) {
                part(tuple.get(i), i, ",");
            }
        } else if (next instanceof ErlList list) {
            list(list);
        } else if (next instanceof ErlMap map) {
            out.append("#{");
            pending.push("}");
            for (int i = map.size() - 1; i >= 0; i--) {
                pending.push(map.valueAt(i));
                pending.push(" => ");
                part(map.keyAt(i), i, ",");
            }
        } else {
            out.append(next);
        }
    }

    private void list(ErlList list) {
        String quoted = list.quoted();
        if (quoted != null) {
            out.append(quoted);
            return;
        }
        out.append('[');
        pending.push("]");
        if (!list.isProper()) {
            pending.push(list.tail());
            pending.push("|");
        }
        for (int i = list.size() - 1; i >= 0; i--) {
            part(list.get(i), i, ",");
        }
    }

    private void part(Term part, int at, String separator) {
        pending.push(part);
        if (at > 0) {
            pending.push(separator);
        }
    }
}
