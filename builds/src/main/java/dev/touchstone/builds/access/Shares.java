package dev.touchstone.builds.access;

import java.util.HashMap;
import java.util.Map;

/**
 * Counts who has how much of what there is not enough of for everybody. A named token gets only a part of it, and never more than it leaves to the others,
 * so that several greedy tokens leave room for another. Not thread-safe.
 */
public final class Shares {
    private final int max;
    private final int maxOfName;
    private final Map<String, Integer> taken = new HashMap<>(); // by name
    private int all;

    /**
     * Creates the account of something of which nobody has any.
     *
     * @param max how much there is, at least 1
     * @param maxOfName how much of that one named token may have, at least 1; the token that all share may have everything
     */
    public Shares(int max, int maxOfName) {
        this.max = max;
        this.maxOfName = maxOfName;
    }

    /** Gives a caller one more; returns whether there was one for it. */
    public boolean take(Caller caller) {
        int own = taken.getOrDefault(caller.name(), 0);
        boolean isNamed = !caller.name().isEmpty();
        if (all >= max || (isNamed && (own >= maxOfName || own >= max - all))) {
            return false;
        }
        taken.put(caller.name(), own + 1);
        all++;
        return true;
    }

    /** Takes back what a caller has. */
    public void giveBack(Caller caller, int count) {
        all -= count;
        taken.computeIfPresent(caller.name(), (name, own) -> own > count ? own - count : null);
    }

    /** Returns how much all have. */
    public int taken() {
        return all;
    }

    /** Returns how much a caller has of how much it may have, for messages. */
    public String describe(Caller caller) {
        int own = taken.getOrDefault(caller.name(), 0);
        return "token=" + caller + " own=" + own + " of=" + (caller.name().isEmpty() ? max : maxOfName) + " all=" + all
                + " of=" + max;
    }
}
