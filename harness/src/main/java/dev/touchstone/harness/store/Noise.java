package dev.touchstone.harness.store;

/**
 * The activity of other processes while a fork ran, from {@code /proc}; -1 if the system does not tell.
 *
 * @param foreignCpuCores mean number of cores that processes other than this run's used
 * @param stealPercent share of CPU time taken by the hypervisor
 * @param pressureCpuPercent share of time in which some task waited for a CPU ({@code /proc/pressure/cpu}, {@code some}); the fork's own too
 * @param pressureIoPercent the same for {@code /proc/pressure/io}
 * @param swapPages pages that went to or came from swap
 * @param diskBusyPercent share of time in which the busiest disk had work; the fork's own too
 */
public record Noise(
        double foreignCpuCores,
        double stealPercent,
        double pressureCpuPercent,
        double pressureIoPercent,
        Double swapPages,
        Double diskBusyPercent) {
    private static final Double UNKNOWN = -1.0;

    /** Takes what earlier versions did not record as unknown. */
    public Noise {
        swapPages = swapPages == null ? UNKNOWN : swapPages;
        diskBusyPercent = diskBusyPercent == null ? UNKNOWN : diskBusyPercent;
    }

    /**
     * Returns a noise of which nothing is known.
     *
     * @return all six values -1
     */
    public static Noise unknown() {
        return new Noise(-1, -1, -1, -1, UNKNOWN, UNKNOWN);
    }

    /**
     * Returns one of the six values.
     *
     * @param kind which of them
     * @return the value in the unit that {@link Kind#label} names; -1 if unknown
     */
    public double get(Kind kind) {
        return switch (kind) {
            case FOREIGN_CPU -> foreignCpuCores;
            case STEAL -> stealPercent;
            case PRESSURE_CPU -> pressureCpuPercent;
            case PRESSURE_IO -> pressureIoPercent;
            case SWAP -> swapPages;
            case DISK -> diskBusyPercent;
        };
    }

    /** The six. */
    public enum Kind {
        /** Processor time of others. */
        FOREIGN_CPU("CPU used by other processes, cores", false, 0.1),
        /** Processor time that the hypervisor took. */
        STEAL("time taken by the hypervisor, %", false, 1),
        /** Waits for a processor. */
        PRESSURE_CPU("time in which a task waited for a CPU, %", true, 5),
        /** Waits for a disk. */
        PRESSURE_IO("time in which a task waited for a disk, %", true, 5),
        /** Memory that was too small. */
        SWAP("pages swapped", false, 100),
        /** Work of a disk. */
        DISK("time in which a disk was busy, %", true, 5);

        private final String label;
        private final boolean ownToo;
        private final double least;

        Kind(String label, boolean ownToo, double least) {
            this.label = label;
            this.ownToo = ownToo;
            this.least = least;
        }

        /**
         * Returns the quantity with its unit, for tables.
         *
         * @return the words, in lower case but for abbreviations
         */
        public String label() {
            return label;
        }

        /** Returns whether the fork's own work adds to the value, so that only forks of the same cell can be compared by it. */
        boolean ownToo() {
            return ownToo;
        }

        /** Returns the smallest limit that a calibration may set. */
        double least() {
            return least;
        }
    }
}
