package dev.touchstone.queue.replicated.faults;

/** A wall clock that can be set; {@link ClockAgent} puts it in the place of the machine's in the classes of this process. Thread-safe. */
public final class JumpingClock {
    private static volatile long aheadMillis;

    private JumpingClock() {}

    /** Sets the clock this much ahead of the machine's, or behind it if negative. */
    static void set(long millis) {
        aheadMillis = millis;
    }

    /** Returns the time of this clock; named as the method of {@link System} that it replaces. */
    public static long currentTimeMillis() {
        return System.currentTimeMillis() + aheadMillis;
    }
}
