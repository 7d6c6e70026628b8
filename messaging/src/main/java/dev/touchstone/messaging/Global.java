package dev.touchstone.messaging;

import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The names that all nodes of an Erlang cluster know, kept by Erlang's {@code global} and asked for through one of the cluster's nodes. A
 * name may be any term, most often an atom. Immutable, thread-safe.
 *
 * <p>All methods throw {@link MessagingException.Unreachable}, {@link MessagingException.TimedOut}, or {@link
 * MessagingException.CallFailed} where that node cannot be asked or fails.
 *
 * @see <a href="https://www.erlang.org/doc/apps/kernel/global.html">global</a>
 */
public final class Global {
    private final Node node;
    private final NodeName through;
    private final Duration timeout;

    Global(Node node, NodeName through, Duration timeout) {
        this.node = node;
        this.through = through;
        this.timeout = timeout;
    }

    /** The process that has a name, if any has. */
    public Optional<Pid> whereis(Term name) throws InterruptedException {
        return ask("whereis_name", name) instanceof Pid process ? Optional.of(process) : Optional.empty();
    }

    /**
     * Gives a process a name, until it ends, unregisters, or the cluster loses the connection to its node. False where another has that
     * name, or it has another one.
     */
    public boolean register(Term name, Pid process) throws InterruptedException {
        return ask("register_name", name, process).equals(WellKnownAtoms.YES);
    }

    /** Frees a name, whoever has it; does nothing where nobody has. */
    public void unregister(Term name) throws InterruptedException {
        Term unused = ask("unregister_name", name);
    }

    /** Sends a message to the process that has a name; false, and nothing is sent, where none has. */
    public boolean send(Mailbox from, Term name, Term message) throws InterruptedException {
        Optional<Pid> process = whereis(name);
        process.ifPresent(to -> from.send(to, message));
        return process.isPresent();
    }

    private Term ask(String function, Term... arguments) throws InterruptedException {
        try (Mailbox asking = node.mailbox()) {
            Term answer = asking.rpc(through, WellKnownAtoms.GLOBAL.name(), function, List.of(arguments), timeout);
            if (answer instanceof Tuple failure && failure.is(WellKnownAtoms.BADRPC, 2)) {
                throw new MessagingException.CallFailed(
                        "node=" + through + " function=global:" + function + " name=" + arguments[0], failure.get(1));
            }
            return answer;
        }
    }

    @Override
    public String toString() {
        return "global names through " + through;
    }
}
