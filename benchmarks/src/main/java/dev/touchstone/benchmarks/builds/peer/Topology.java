package dev.touchstone.benchmarks.builds.peer;

/** Where master, agent and client are. */
public enum Topology {
    /** Master and agent in processes of their own, and the client in this one. */
    PROCESSES,
    /** As {@link #PROCESSES}, and what they say to each other is encrypted by TLS. */
    PROCESSES_TLS,
    /** All in this process; what they say to each other still goes over loopback. */
    ONE_JVM
}
