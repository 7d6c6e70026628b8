package dev.touchstone.builds.web;

import dev.touchstone.builds.access.Caller;
import java.util.HashMap;
import java.util.Map;

/** Counts those who follow jobs, each of whom has a thread. Thread-safe. */
final class Followers {
    static final int MAX_OF_ALL = 64;
    /** Most followers of one token, so that nobody takes the places of all others. */
    static final int MAX_OF_TOKEN = 16;

    private final Map<Caller, Integer> byCaller = new HashMap<>(); // guarded by this
    private int all; // guarded by this

    /** Takes a place; returns false if there is none. */
    synchronized boolean enter(Caller caller) {
        int own = byCaller.getOrDefault(caller, 0);
        if (all >= MAX_OF_ALL || own >= MAX_OF_TOKEN) {
            return false;
        }
        all++;
        byCaller.put(caller, own + 1);
        return true;
    }

    /** Gives a place back. */
    synchronized void leave(Caller caller) {
        all--;
        byCaller.computeIfPresent(caller, (unused, own) -> own == 1 ? null : own - 1);
    }
}
