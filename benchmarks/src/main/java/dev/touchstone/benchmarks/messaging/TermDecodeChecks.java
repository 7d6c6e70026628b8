package dev.touchstone.benchmarks.messaging;

/** The semantic checks of decoding. One class for each subject of each workload, because a service loader makes them without arguments. */
public final class TermDecodeChecks {

    private TermDecodeChecks() {}

    /** OURS in messaging-term-decode-pid. */
    public static final class PidOurs extends MessagingCheck {
        /** For the service loader. */
        public PidOurs() {
            super("messaging-term-decode-pid", MessagingType.OURS, checks -> checks.decode(SampleTerm.PID));
        }
    }

    /** JINTERFACE in messaging-term-decode-pid. */
    public static final class PidJinterface extends MessagingCheck {
        /** For the service loader. */
        public PidJinterface() {
            super("messaging-term-decode-pid", MessagingType.JINTERFACE, checks -> checks.decode(SampleTerm.PID));
        }
    }

    /** ENCON in messaging-term-decode-pid. */
    public static final class PidEncon extends MessagingCheck {
        /** For the service loader. */
        public PidEncon() {
            super("messaging-term-decode-pid", MessagingType.ENCON, checks -> checks.decode(SampleTerm.PID));
        }
    }

    /** OURS in messaging-term-decode-ok-tuple. */
    public static final class OkTupleOurs extends MessagingCheck {
        /** For the service loader. */
        public OkTupleOurs() {
            super("messaging-term-decode-ok-tuple", MessagingType.OURS, checks -> checks.decode(SampleTerm.OK_TUPLE));
        }
    }

    /** JINTERFACE in messaging-term-decode-ok-tuple. */
    public static final class OkTupleJinterface extends MessagingCheck {
        /** For the service loader. */
        public OkTupleJinterface() {
            super(
                    "messaging-term-decode-ok-tuple",
                    MessagingType.JINTERFACE,
                    checks -> checks.decode(SampleTerm.OK_TUPLE));
        }
    }

    /** ENCON in messaging-term-decode-ok-tuple. */
    public static final class OkTupleEncon extends MessagingCheck {
        /** For the service loader. */
        public OkTupleEncon() {
            super("messaging-term-decode-ok-tuple", MessagingType.ENCON, checks -> checks.decode(SampleTerm.OK_TUPLE));
        }
    }

    /** OURS in messaging-term-decode-int-list. */
    public static final class IntListOurs extends MessagingCheck {
        /** For the service loader. */
        public IntListOurs() {
            super("messaging-term-decode-int-list", MessagingType.OURS, checks -> checks.decode(SampleTerm.INT_LIST));
        }
    }

    /** JINTERFACE in messaging-term-decode-int-list. */
    public static final class IntListJinterface extends MessagingCheck {
        /** For the service loader. */
        public IntListJinterface() {
            super(
                    "messaging-term-decode-int-list",
                    MessagingType.JINTERFACE,
                    checks -> checks.decode(SampleTerm.INT_LIST));
        }
    }

    /** ENCON in messaging-term-decode-int-list. */
    public static final class IntListEncon extends MessagingCheck {
        /** For the service loader. */
        public IntListEncon() {
            super("messaging-term-decode-int-list", MessagingType.ENCON, checks -> checks.decode(SampleTerm.INT_LIST));
        }
    }

    /** OURS in messaging-term-decode-atom-map. */
    public static final class AtomMapOurs extends MessagingCheck {
        /** For the service loader. */
        public AtomMapOurs() {
            super("messaging-term-decode-atom-map", MessagingType.OURS, checks -> checks.decode(SampleTerm.ATOM_MAP));
        }
    }

    /** JINTERFACE in messaging-term-decode-atom-map. */
    public static final class AtomMapJinterface extends MessagingCheck {
        /** For the service loader. */
        public AtomMapJinterface() {
            super(
                    "messaging-term-decode-atom-map",
                    MessagingType.JINTERFACE,
                    checks -> checks.decode(SampleTerm.ATOM_MAP));
        }
    }

    /** ENCON in messaging-term-decode-atom-map. */
    public static final class AtomMapEncon extends MessagingCheck {
        /** For the service loader. */
        public AtomMapEncon() {
            super("messaging-term-decode-atom-map", MessagingType.ENCON, checks -> checks.decode(SampleTerm.ATOM_MAP));
        }
    }

    /** OURS in messaging-term-decode-binary-64k. */
    public static final class Binary64kOurs extends MessagingCheck {
        /** For the service loader. */
        public Binary64kOurs() {
            super(
                    "messaging-term-decode-binary-64k",
                    MessagingType.OURS,
                    checks -> checks.decode(SampleTerm.BINARY_64K));
        }
    }

    /** JINTERFACE in messaging-term-decode-binary-64k. */
    public static final class Binary64kJinterface extends MessagingCheck {
        /** For the service loader. */
        public Binary64kJinterface() {
            super(
                    "messaging-term-decode-binary-64k",
                    MessagingType.JINTERFACE,
                    checks -> checks.decode(SampleTerm.BINARY_64K));
        }
    }

    /** ENCON in messaging-term-decode-binary-64k. */
    public static final class Binary64kEncon extends MessagingCheck {
        /** For the service loader. */
        public Binary64kEncon() {
            super(
                    "messaging-term-decode-binary-64k",
                    MessagingType.ENCON,
                    checks -> checks.decode(SampleTerm.BINARY_64K));
        }
    }

    /** OURS in messaging-term-decode-big-integers. */
    public static final class BigIntegersOurs extends MessagingCheck {
        /** For the service loader. */
        public BigIntegersOurs() {
            super(
                    "messaging-term-decode-big-integers",
                    MessagingType.OURS,
                    checks -> checks.decode(SampleTerm.BIG_INTEGERS));
        }
    }

    /** JINTERFACE in messaging-term-decode-big-integers. */
    public static final class BigIntegersJinterface extends MessagingCheck {
        /** For the service loader. */
        public BigIntegersJinterface() {
            super(
                    "messaging-term-decode-big-integers",
                    MessagingType.JINTERFACE,
                    checks -> checks.decode(SampleTerm.BIG_INTEGERS));
        }
    }

    /** ENCON in messaging-term-decode-big-integers. */
    public static final class BigIntegersEncon extends MessagingCheck {
        /** For the service loader. */
        public BigIntegersEncon() {
            super(
                    "messaging-term-decode-big-integers",
                    MessagingType.ENCON,
                    checks -> checks.decode(SampleTerm.BIG_INTEGERS));
        }
    }

    /** OURS in messaging-term-decode-nested-tuples. */
    public static final class NestedTuplesOurs extends MessagingCheck {
        /** For the service loader. */
        public NestedTuplesOurs() {
            super(
                    "messaging-term-decode-nested-tuples",
                    MessagingType.OURS,
                    checks -> checks.decode(SampleTerm.NESTED_TUPLES));
        }
    }

    /** JINTERFACE in messaging-term-decode-nested-tuples. */
    public static final class NestedTuplesJinterface extends MessagingCheck {
        /** For the service loader. */
        public NestedTuplesJinterface() {
            super(
                    "messaging-term-decode-nested-tuples",
                    MessagingType.JINTERFACE,
                    checks -> checks.decode(SampleTerm.NESTED_TUPLES));
        }
    }

    /** ENCON in messaging-term-decode-nested-tuples. */
    public static final class NestedTuplesEncon extends MessagingCheck {
        /** For the service loader. */
        public NestedTuplesEncon() {
            super(
                    "messaging-term-decode-nested-tuples",
                    MessagingType.ENCON,
                    checks -> checks.decode(SampleTerm.NESTED_TUPLES));
        }
    }

    /** OURS in messaging-term-decode-string-1000. */
    public static final class String1000Ours extends MessagingCheck {
        /** For the service loader. */
        public String1000Ours() {
            super(
                    "messaging-term-decode-string-1000",
                    MessagingType.OURS,
                    checks -> checks.decode(SampleTerm.STRING_1000));
        }
    }

    /** JINTERFACE in messaging-term-decode-string-1000. */
    public static final class String1000Jinterface extends MessagingCheck {
        /** For the service loader. */
        public String1000Jinterface() {
            super(
                    "messaging-term-decode-string-1000",
                    MessagingType.JINTERFACE,
                    checks -> checks.decode(SampleTerm.STRING_1000));
        }
    }

    /** ENCON in messaging-term-decode-string-1000. */
    public static final class String1000Encon extends MessagingCheck {
        /** For the service loader. */
        public String1000Encon() {
            super(
                    "messaging-term-decode-string-1000",
                    MessagingType.ENCON,
                    checks -> checks.decode(SampleTerm.STRING_1000));
        }
    }
}
