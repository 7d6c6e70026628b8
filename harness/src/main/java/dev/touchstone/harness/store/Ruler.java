package dev.touchstone.harness.store;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * What the machine itself could do just before a fork: four fixed pieces of work that no change of a benchmark or a part touches.
 *
 * @param cpuMicros 10 000 multiplications that wait for each other
 * @param memoryMicros 1 000 reads that wait for each other, at random places of 64 MiB
 * @param forceMicros an append of 512 B and its force to the device, in the data folder; -1 where it failed
 * @param roundTripMicros one byte to another thread over loopback TCP and back; -1 where it failed
 */
public record Ruler(double cpuMicros, double memoryMicros, double forceMicros, double roundTripMicros) {
    /** One of the four. */
    public double get(Kind kind) {
        return switch (kind) {
            case CPU -> cpuMicros;
            case MEMORY -> memoryMicros;
            case FORCE -> forceMicros;
            case ROUND_TRIP -> roundTripMicros;
        };
    }

    /** The four pieces of work. */
    public enum Kind {
        /** Arithmetic. */
        @JsonProperty("cpu")
        CPU("10 000 multiplications"),
        /** Reads past the caches. */
        @JsonProperty("memory")
        MEMORY("1 000 random reads of memory"),
        /** The disk. */
        @JsonProperty("force")
        FORCE("a force of 512 B"),
        /** The network stack and a thread's wake-up. */
        @JsonProperty("round-trip")
        ROUND_TRIP("a loopback round trip");

        private final String work;

        Kind(String work) {
            this.work = work;
        }

        /** The work in words: {@code a force of 512 B}. */
        public String work() {
            return work;
        }
    }
}
