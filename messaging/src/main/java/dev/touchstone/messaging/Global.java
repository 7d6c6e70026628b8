package dev.touchstone.messaging;

import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.term.Atom;
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
    private static final Atom BADRPC = Atom.of("badrpc");
    private static final Atom YES = Atom.of("yes");

    private final Node node;
    private final NodeName through;
    private final Duration timeout;

    Global(Node node, NodeName through, Duration timeout) {
        this.node = node;
        this.through = through;
        this.timeout = timeout;
    }

    /**
     * Finds the process that has a name.
     *
     * @param name name in the cluster
     * @return pid of the process; empty where none has the name
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    public Optional<Pid> whereis(Term name) throws InterruptedException {
        return ask("whereis_name", name) instanceof Pid process ? Optional.of(process) : Optional.empty();
    }

    /**
     * Gives a process a name, until it ends, unregisters, or the cluster loses the connection to its node.
     *
     * @param name name in the cluster
     * @param process process of any node
     * @return false where another process has that name, or this one has another name
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    public boolean register(Term name, Pid process) throws InterruptedException {
        return ask("register_name", name, process).equals(YES);
    }

    /**
     * Frees a name, whichever process has it; does nothing where none has.
     *
     * @param name name in the cluster
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    public void unregister(Term name) throws InterruptedException {
        Term unused = ask("unregister_name", name);
    }

    /**
     * Sends a message to the process that has a name.
     *
     * @param from sender
     * @param name name in the cluster
     * @param message message
     * @return false, and nothing is sent, where no process has the name
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    public boolean send(Mailbox from, Term name, Term message) throws InterruptedException {
        Optional<Pid> process = whereis(name);
        process.ifPresent(to -> from.send(to, message));
        return process.isPresent();
    }

    private Term ask(String function, Term... arguments) throws InterruptedException {
        try (Mailbox asking = node.mailbox()) {
            Term answer = asking.rpc(through, "global", function, List.of(arguments), timeout);
            if (answer instanceof Tuple failure && failure.is(BADRPC, 2)) {
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
