package dev.touchstone.messaging.behaviour;

import dev.touchstone.messaging.Mailbox;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/** Settings that a {@link GenServer} is started with. Immutable; each method returns a changed copy. */
public final class ServerOptions {
    /** No name, no parent, a platform thread that is a daemon, exits not trapped. */
    public static final ServerOptions DEFAULT = new ServerOptions(null, null, ServerOptions::daemon, false);

    private final @Nullable String name;
    private final @Nullable Mailbox parent;
    private final ThreadFactory threads;
    private final boolean trapExits;

    private ServerOptions(@Nullable String name, @Nullable Mailbox parent, ThreadFactory threads, boolean trapExits) {
        this.name = name;
        this.parent = parent;
        this.threads = threads;
        this.trapExits = trapExits;
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "touchstone-server");
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Registers the server under a name.
     *
     * @param registeredName the name, as other nodes write it in {@code {Name, Node}}
     * @return changed options
     */
    public ServerOptions name(String registeredName) {
        return new ServerOptions(Objects.requireNonNull(registeredName, "registeredName"), parent, threads, trapExits);
    }

    /**
     * Links the server to its parent, as {@code start_link} does. Whatever reason the parent ends with ends the server; when the server
     * ends, the parent receives {@code {'EXIT', Pid, Reason}}.
     *
     * @param linked a mailbox of the same node
     * @return changed options
     */
    public ServerOptions parent(Mailbox linked) {
        return new ServerOptions(name, Objects.requireNonNull(linked, "linked"), threads, trapExits);
    }

    /**
     * Runs the server on a thread of this factory: {@code Thread.ofVirtual().factory()} where the JDK has virtual threads.
     *
     * @param factory makes one thread for each start
     * @return changed options
     */
    public ServerOptions threads(ThreadFactory factory) {
        return new ServerOptions(name, parent, Objects.requireNonNull(factory, "factory"), trapExits);
    }

    /**
     * Sets whether {@code {'EXIT', Pid, Reason}} of a process other than the parent is a message for {@link GenServer#handleInfo}.
     * Otherwise such an exit signal ends the server, unless its reason is {@code normal}; a message of that form never does.
     *
     * @param trapped whether exits are messages
     * @return changed options
     */
    public ServerOptions trapExits(boolean trapped) {
        return new ServerOptions(name, parent, threads, trapped);
    }

    @Nullable
    String name() {
        return name;
    }

    @Nullable
    Mailbox parent() {
        return parent;
    }

    ThreadFactory threads() {
        return threads;
    }

    boolean trapsExits() {
        return trapExits;
    }
}
