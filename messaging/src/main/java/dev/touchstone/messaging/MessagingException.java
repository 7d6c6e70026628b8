package dev.touchstone.messaging;

import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.term.Term;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A failure between nodes, or between the mailboxes of one. */
public abstract sealed class MessagingException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private MessagingException(String message) {
        super(message);
    }

    private MessagingException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** A mailbox or node was used that is closed. */
    public static final class Closed extends MessagingException {
        private static final long serialVersionUID = 1;

        /**
         * Creates the exception.
         *
         * @param what the mailbox or node
         */
        public Closed(String what) {
            super("closed: " + what);
        }

        /**
         * Creates the exception.
         *
         * @param what the mailbox or node
         * @param cause fault that ended the node; null where it was closed as usual
         */
        public Closed(String what, @Nullable Throwable cause) {
            super("closed: " + what + (cause == null ? "" : " cause=" + cause.getMessage()), cause);
        }
    }

    /** A node could not be reached. */
    public static final class Unreachable extends MessagingException {
        private static final long serialVersionUID = 1;

        /**
         * Creates the exception.
         *
         * @param node node that could not be reached
         * @param cause failure of the attempt to connect to it
         */
        public Unreachable(NodeName node, IOException cause) {
            this(node.toString(), cause);
        }

        /**
         * Creates the exception for the node of a process, which may have a name that no node can have.
         *
         * @param node name of the node that could not be reached
         * @param cause failure of the attempt to connect to it
         */
        public Unreachable(String node, IOException cause) {
            super("node cannot be reached: node=" + node + " cause=" + cause.getMessage(), cause);
        }
    }

    /** A message arrived that is no term, or breaks a limit; the next one can be received. */
    public static final class Malformed extends MessagingException {
        private static final long serialVersionUID = 1;

        /**
         * Creates the exception.
         *
         * @param from node that sent the message
         * @param cause reason why the message cannot be read
         */
        public Malformed(NodeName from, RuntimeException cause) {
            super("message cannot be read: from=" + from + " cause=" + cause.getMessage(), cause);
        }
    }

    /** A call that got no answer, or that the other side could not serve. */
    public static final class CallFailed extends MessagingException {
        private static final long serialVersionUID = 1;

        private final transient Term reason;

        /**
         * Creates the exception.
         *
         * @param call description of the call
         * @param reason reason that Erlang gives
         */
        public CallFailed(String call, Term reason) {
            super("call failed: " + call + " reason=" + reason);
            this.reason = reason;
        }

        /**
         * Returns the reason that Erlang gives.
         *
         * @return term such as {@code noproc}, {@code {nodedown, Node}}, or an exception's reason
         */
        public Term reason() {
            return reason;
        }
    }

    /** A call that got no answer in time; a late one is dropped. */
    public static final class TimedOut extends MessagingException {
        private static final long serialVersionUID = 1;

        /**
         * Creates the exception.
         *
         * @param call description of the call
         * @param timeout time that the answer might take
         */
        public TimedOut(String call, Duration timeout) {
            super("call timed out: " + call + " timeout=" + timeout);
        }
    }

    /** A name that another mailbox has. */
    public static final class NameTaken extends MessagingException {
        private static final long serialVersionUID = 1;

        /**
         * Creates the exception.
         *
         * @param name name at this node
         */
        public NameTaken(String name) {
            super("name is registered already: name=" + name);
        }
    }
}
