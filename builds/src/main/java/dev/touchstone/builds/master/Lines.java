package dev.touchstone.builds.master;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The jobs that wait, one line for each route, and who is next. The dispatcher's. */
final class Lines {
    private final Map<Route, ArrayDeque<Job>> lines = new HashMap<>();
    private int size;

    void add(Job job) {
        line(job.route).addLast(job);
        size++;
    }

    /** Puts a job before all others of its route that came later. */
    void putBack(Job job) {
        ArrayDeque<Job> line = line(job.route);
        ArrayList<Job> earlier = new ArrayList<>();
        for (Job first = line.peekFirst(); first != null && first.number < job.number; first = line.peekFirst()) {
            earlier.add(line.removeFirst());
        }
        line.addFirst(job);
        for (int i = earlier.size() - 1; i >= 0; i--) {
            line.addFirst(earlier.get(i));
        }
        size++;
    }

    private ArrayDeque<Job> line(Route route) {
        return lines.computeIfAbsent(route, unused -> new ArrayDeque<>());
    }

    /** Takes a job out, wherever it stands. O(n). */
    void remove(Job job) {
        ArrayDeque<Job> line = lines.get(job.route);
        if (line != null && line.remove(job)) {
            size--;
        }
    }

    int size() {
        return size;
    }

    /** Routes that somebody waits for, the one whose first job is the oldest first. */
    List<Route> waiting() {
        if (size == 0) {
            return List.of();
        }
        lines.values().removeIf(ArrayDeque::isEmpty);
        if (lines.size() == 1) {
            return List.copyOf(lines.keySet());
        }
        return lines.entrySet().stream()
                .sorted(Comparator.comparingLong(line -> line.getValue().getFirst().number))
                .map(Map.Entry::getKey)
                .toList();
    }

    @Nullable
    Job first(Route route) {
        ArrayDeque<Job> line = lines.get(route);
        return line == null ? null : line.peekFirst();
    }

    Job takeFirst(Route route) {
        size--;
        return line(route).removeFirst();
    }

    Collection<ArrayDeque<Job>> all() {
        return lines.values();
    }

    /** The agent that is to have the next job of a route: who has the most idle executors, and among these who was given one longest ago. */
    static @Nullable AgentSession choose(Route route, Collection<AgentSession> agents) {
        AgentSession best = null;
        for (AgentSession agent : agents) {
            if (!agent.lost && agent.serves(route) && hasRoom(agent, route) && isBetter(agent, best, route)) {
                best = agent;
            }
        }
        return best;
    }

    private static boolean hasRoom(AgentSession agent, Route route) {
        if (!agent.hasRoom()) {
            return false;
        }
        return route.noop() ? agent.noops < AgentSession.MAX_NOOPS : agent.idle() > 0;
    }

    private static boolean isBetter(AgentSession agent, @Nullable AgentSession than, Route route) {
        if (than == null) {
            return true;
        }
        int difference = route.noop() ? than.noops - agent.noops : agent.idle() - than.idle();
        return difference > 0 || (difference == 0 && agent.turn < than.turn);
    }

    /** Why the jobs of a route wait. */
    static String reason(Route route, Collection<AgentSession> agents) {
        boolean label = false;
        for (AgentSession agent : agents) {
            if (agent.serves(route)) {
                return "all executors are busy: " + route;
            }
            label |= agent.labels.contains(route.label());
        }
        return (label ? "no agent with this label has the runner: " : "no agent has the label: ") + route;
    }
}
