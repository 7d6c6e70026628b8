package dev.touchstone.benchmarks.builds.peer;

/** The places of master, agent and client. */
public enum BuildTopology {
    /** Master and agent in processes of their own, and the client in this one. */
    PROCESSES,
    /** The places of {@link #PROCESSES}; what they say to each other is encrypted by TLS. */
    PROCESSES_TLS,
    /** All in this process; what they say to each other still goes over loopback. */
    ONE_JVM
}
