package dev.touchstone.benchmarks.messaging;

/** The semantic checks of echoes and mailboxes. One class for each subject of each workload, because a service loader makes them without arguments. */
public final class MessagingSemanticChecks {

    private static final int CLIENTS = 3;
    private static final int ECHOES = 500;
    private static final int MESSAGES = 1_000;

    private MessagingSemanticChecks() {}

    /** OURS in messaging-echo. */
    public static final class EchoOurs extends MessagingCheck {
        /** For the service loader. */
        public EchoOurs() {
            super("messaging-echo", MessagingType.OURS, checks -> checks.echo(CLIENTS, ECHOES));
        }
    }

    /** JINTERFACE in messaging-echo. */
    public static final class EchoJinterface extends MessagingCheck {
        /** For the service loader. */
        public EchoJinterface() {
            super("messaging-echo", MessagingType.JINTERFACE, checks -> checks.echo(CLIENTS, ECHOES));
        }
    }

    /** ENCON in messaging-echo. */
    public static final class EchoEncon extends MessagingCheck {
        /** For the service loader. */
        public EchoEncon() {
            super("messaging-echo", MessagingType.ENCON, checks -> checks.echo(CLIENTS, ECHOES));
        }
    }

    /** CEILING_BUSY in messaging-echo. */
    public static final class EchoCeilingBusy extends MessagingCheck {
        /** For the service loader. */
        public EchoCeilingBusy() {
            super("messaging-echo", MessagingType.CEILING_BUSY, checks -> checks.echo(CLIENTS, ECHOES));
        }
    }

    /** OURS in messaging-echo-busy. */
    public static final class EchoBusyOurs extends MessagingCheck {
        /** For the service loader. */
        public EchoBusyOurs() {
            super("messaging-echo-busy", MessagingType.OURS, checks -> checks.echoBesideABurner(CLIENTS, ECHOES));
        }
    }

    /** JINTERFACE in messaging-echo-busy. */
    public static final class EchoBusyJinterface extends MessagingCheck {
        /** For the service loader. */
        public EchoBusyJinterface() {
            super("messaging-echo-busy", MessagingType.JINTERFACE, checks -> checks.echoBesideABurner(CLIENTS, ECHOES));
        }
    }

    /** ENCON in messaging-echo-busy. */
    public static final class EchoBusyEncon extends MessagingCheck {
        /** For the service loader. */
        public EchoBusyEncon() {
            super("messaging-echo-busy", MessagingType.ENCON, checks -> checks.echoBesideABurner(CLIENTS, ECHOES));
        }
    }

    /** OURS in messaging-echo-erlang. */
    public static final class EchoErlangOurs extends MessagingCheck {
        /** For the service loader. */
        public EchoErlangOurs() {
            super("messaging-echo-erlang", MessagingType.OURS, checks -> checks.echo(CLIENTS, ECHOES));
        }
    }

    /** ERLANG in messaging-echo-erlang. */
    public static final class EchoErlangErlang extends MessagingCheck {
        /** For the service loader. */
        public EchoErlangErlang() {
            super("messaging-echo-erlang", MessagingType.ERLANG, checks -> checks.echo(CLIENTS, ECHOES));
        }
    }

    /** CEILING_BLOCKING in messaging-echo-erlang. */
    public static final class EchoErlangCeilingBlocking extends MessagingCheck {
        /** For the service loader. */
        public EchoErlangCeilingBlocking() {
            super("messaging-echo-erlang", MessagingType.CEILING_BLOCKING, checks -> checks.echo(CLIENTS, ECHOES));
        }
    }

    /** OURS in messaging-mailbox. */
    public static final class MailboxOurs extends MessagingCheck {
        /** For the service loader. */
        public MailboxOurs() {
            super("messaging-mailbox", MessagingType.OURS, checks -> checks.mailboxes(MESSAGES));
        }
    }

    /** JINTERFACE in messaging-mailbox. */
    public static final class MailboxJinterface extends MessagingCheck {
        /** For the service loader. */
        public MailboxJinterface() {
            super("messaging-mailbox", MessagingType.JINTERFACE, checks -> checks.mailboxes(MESSAGES));
        }
    }

    /** ENCON in messaging-mailbox. */
    public static final class MailboxEncon extends MessagingCheck {
        /** For the service loader. */
        public MailboxEncon() {
            super("messaging-mailbox", MessagingType.ENCON, checks -> checks.mailboxes(MESSAGES));
        }
    }
}
