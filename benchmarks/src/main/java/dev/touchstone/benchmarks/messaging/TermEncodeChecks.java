package dev.touchstone.benchmarks.messaging;

/** The semantic checks of encoding. One class for each subject of each workload, because a service loader makes them without arguments. */
public final class TermEncodeChecks {

    private TermEncodeChecks() {}

    /** OURS in messaging-term-encode-pid. */
    public static final class PidOurs extends MessagingCheck {
        /** For the service loader. */
        public PidOurs() {
            super("messaging-term-encode-pid", MessagingType.OURS, checks -> checks.encode(SampleTerm.PID));
        }
    }

    /** JINTERFACE in messaging-term-encode-pid. */
    public static final class PidJinterface extends MessagingCheck {
        /** For the service loader. */
        public PidJinterface() {
            super("messaging-term-encode-pid", MessagingType.JINTERFACE, checks -> checks.encode(SampleTerm.PID));
        }
    }

    /** ENCON in messaging-term-encode-pid. */
    public static final class PidEncon extends MessagingCheck {
        /** For the service loader. */
        public PidEncon() {
            super("messaging-term-encode-pid", MessagingType.ENCON, checks -> checks.encode(SampleTerm.PID));
        }
    }

    /** OURS in messaging-term-encode-ok-tuple. */
    public static final class OkTupleOurs extends MessagingCheck {
        /** For the service loader. */
        public OkTupleOurs() {
            super("messaging-term-encode-ok-tuple", MessagingType.OURS, checks -> checks.encode(SampleTerm.OK_TUPLE));
        }
    }

    /** JINTERFACE in messaging-term-encode-ok-tuple. */
    public static final class OkTupleJinterface extends MessagingCheck {
        /** For the service loader. */
        public OkTupleJinterface() {
            super(
                    "messaging-term-encode-ok-tuple",
                    MessagingType.JINTERFACE,
                    checks -> checks.encode(SampleTerm.OK_TUPLE));
        }
    }

    /** ENCON in messaging-term-encode-ok-tuple. */
    public static final class OkTupleEncon extends MessagingCheck {
        /** For the service loader. */
        public OkTupleEncon() {
            super("messaging-term-encode-ok-tuple", MessagingType.ENCON, checks -> checks.encode(SampleTerm.OK_TUPLE));
        }
    }

    /** OURS in messaging-term-encode-int-list. */
    public static final class IntListOurs extends MessagingCheck {
        /** For the service loader. */
        public IntListOurs() {
            super("messaging-term-encode-int-list", MessagingType.OURS, checks -> checks.encode(SampleTerm.INT_LIST));
        }
    }

    /** JINTERFACE in messaging-term-encode-int-list. */
    public static final class IntListJinterface extends MessagingCheck {
        /** For the service loader. */
        public IntListJinterface() {
            super(
                    "messaging-term-encode-int-list",
                    MessagingType.JINTERFACE,
                    checks -> checks.encode(SampleTerm.INT_LIST));
        }
    }

    /** ENCON in messaging-term-encode-int-list. */
    public static final class IntListEncon extends MessagingCheck {
        /** For the service loader. */
        public IntListEncon() {
            super("messaging-term-encode-int-list", MessagingType.ENCON, checks -> checks.encode(SampleTerm.INT_LIST));
        }
    }

    /** OURS in messaging-term-encode-atom-map. */
    public static final class AtomMapOurs extends MessagingCheck {
        /** For the service loader. */
        public AtomMapOurs() {
            super("messaging-term-encode-atom-map", MessagingType.OURS, checks -> checks.encode(SampleTerm.ATOM_MAP));
        }
    }

    /** JINTERFACE in messaging-term-encode-atom-map. */
    public static final class AtomMapJinterface extends MessagingCheck {
        /** For the service loader. */
        public AtomMapJinterface() {
            super(
                    "messaging-term-encode-atom-map",
                    MessagingType.JINTERFACE,
                    checks -> checks.encode(SampleTerm.ATOM_MAP));
        }
    }

    /** ENCON in messaging-term-encode-atom-map. */
    public static final class AtomMapEncon extends MessagingCheck {
        /** For the service loader. */
        public AtomMapEncon() {
            super("messaging-term-encode-atom-map", MessagingType.ENCON, checks -> checks.encode(SampleTerm.ATOM_MAP));
        }
    }

    /** OURS in messaging-term-encode-binary-64k. */
    public static final class Binary64kOurs extends MessagingCheck {
        /** For the service loader. */
        public Binary64kOurs() {
            super(
                    "messaging-term-encode-binary-64k",
                    MessagingType.OURS,
                    checks -> checks.encode(SampleTerm.BINARY_64K));
        }
    }

    /** JINTERFACE in messaging-term-encode-binary-64k. */
    public static final class Binary64kJinterface extends MessagingCheck {
        /** For the service loader. */
        public Binary64kJinterface() {
            super(
                    "messaging-term-encode-binary-64k",
                    MessagingType.JINTERFACE,
                    checks -> checks.encode(SampleTerm.BINARY_64K));
        }
    }

    /** ENCON in messaging-term-encode-binary-64k. */
    public static final class Binary64kEncon extends MessagingCheck {
        /** For the service loader. */
        public Binary64kEncon() {
            super(
                    "messaging-term-encode-binary-64k",
                    MessagingType.ENCON,
                    checks -> checks.encode(SampleTerm.BINARY_64K));
        }
    }

    /** OURS in messaging-term-encode-big-integers. */
    public static final class BigIntegersOurs extends MessagingCheck {
        /** For the service loader. */
        public BigIntegersOurs() {
            super(
                    "messaging-term-encode-big-integers",
                    MessagingType.OURS,
                    checks -> checks.encode(SampleTerm.BIG_INTEGERS));
        }
    }

    /** JINTERFACE in messaging-term-encode-big-integers. */
    public static final class BigIntegersJinterface extends MessagingCheck {
        /** For the service loader. */
        public BigIntegersJinterface() {
            super(
                    "messaging-term-encode-big-integers",
                    MessagingType.JINTERFACE,
                    checks -> checks.encode(SampleTerm.BIG_INTEGERS));
        }
    }

    /** ENCON in messaging-term-encode-big-integers. */
    public static final class BigIntegersEncon extends MessagingCheck {
        /** For the service loader. */
        public BigIntegersEncon() {
            super(
                    "messaging-term-encode-big-integers",
                    MessagingType.ENCON,
                    checks -> checks.encode(SampleTerm.BIG_INTEGERS));
        }
    }

    /** OURS in messaging-term-encode-nested-tuples. */
    public static final class NestedTuplesOurs extends MessagingCheck {
        /** For the service loader. */
        public NestedTuplesOurs() {
            super(
                    "messaging-term-encode-nested-tuples",
                    MessagingType.OURS,
                    checks -> checks.encode(SampleTerm.NESTED_TUPLES));
        }
    }

    /** JINTERFACE in messaging-term-encode-nested-tuples. */
    public static final class NestedTuplesJinterface extends MessagingCheck {
        /** For the service loader. */
        public NestedTuplesJinterface() {
            super(
                    "messaging-term-encode-nested-tuples",
                    MessagingType.JINTERFACE,
                    checks -> checks.encode(SampleTerm.NESTED_TUPLES));
        }
    }

    /** ENCON in messaging-term-encode-nested-tuples. */
    public static final class NestedTuplesEncon extends MessagingCheck {
        /** For the service loader. */
        public NestedTuplesEncon() {
            super(
                    "messaging-term-encode-nested-tuples",
                    MessagingType.ENCON,
                    checks -> checks.encode(SampleTerm.NESTED_TUPLES));
        }
    }

    /** OURS in messaging-term-encode-string-1000. */
    public static final class String1000Ours extends MessagingCheck {
        /** For the service loader. */
        public String1000Ours() {
            super(
                    "messaging-term-encode-string-1000",
                    MessagingType.OURS,
                    checks -> checks.encode(SampleTerm.STRING_1000));
        }
    }

    /** JINTERFACE in messaging-term-encode-string-1000. */
    public static final class String1000Jinterface extends MessagingCheck {
        /** For the service loader. */
        public String1000Jinterface() {
            super(
                    "messaging-term-encode-string-1000",
                    MessagingType.JINTERFACE,
                    checks -> checks.encode(SampleTerm.STRING_1000));
        }
    }

    /** ENCON in messaging-term-encode-string-1000. */
    public static final class String1000Encon extends MessagingCheck {
        /** For the service loader. */
        public String1000Encon() {
            super(
                    "messaging-term-encode-string-1000",
                    MessagingType.ENCON,
                    checks -> checks.encode(SampleTerm.STRING_1000));
        }
    }
}
