package dev.touchstone.harness.run;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * The machine's own speed just before a fork, by four fixed pieces of work that no change of a benchmark or a part touches.
 *
 * @param cpuMicros time in microseconds of 10 000 multiplications, each waiting for the one before
 * @param memoryMicros time in microseconds of 1 000 reads at random places of 64 MiB, each waiting for the one before
 * @param forceMicros time in microseconds to append 512 B in the data folder and force them to the device; -1 if that failed
 * @param roundTripMicros time in microseconds of a byte to another thread over loopback TCP and back; -1 if that failed
 */
public record ReferenceLoad(double cpuMicros, double memoryMicros, double forceMicros, double roundTripMicros) {
    /**
     * Returns one of the four times.
     *
     * @param kind the piece of work
     * @return microseconds; -1 if the work failed
     */
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

        /**
         * Returns the work in words: {@code a force of 512 B}.
         *
         * @return a noun phrase for use in sentences
         */
        public String work() {
            return work;
        }
    }
}
