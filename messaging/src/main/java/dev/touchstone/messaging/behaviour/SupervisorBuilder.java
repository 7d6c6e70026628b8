package dev.touchstone.messaging.behaviour;

import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Tuple;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A builder of a {@link Supervisor}. Not thread-safe. */
public final class SupervisorBuilder {
    private static final Duration DEFAULT_PERIOD = Duration.ofSeconds(5);

    private final Strategy strategy;
    private final List<ChildSpec> children = new ArrayList<>();
    private final Map<Tuple, ChildFactory> kinds = new HashMap<>();
    private int maxRestarts = 1;
    private Duration period = DEFAULT_PERIOD;

    SupervisorBuilder(Strategy strategy) {
        this.strategy = Objects.requireNonNull(strategy, "strategy");
    }

    /**
     * Sets how often children may be restarted before the supervisor gives up.
     *
     * @param restarts the restarts that are allowed within the period, 0 or more
     * @param within the period
     * @return this builder
     * @throws IllegalArgumentException if the number is negative, or the period is not positive
     */
    public SupervisorBuilder intensity(int restarts, Duration within) {
        if (restarts < 0 || within.isNegative() || within.isZero()) {
            throw new IllegalArgumentException(
                    "no intensity: expected restarts>=0 and period>0, got restarts=" + restarts + " period=" + within);
        }
        maxRestarts = restarts;
        period = within;
        return this;
    }

    /**
     * Adds a child, started after those that were added before.
     *
     * @param spec the child; the template of all children where the strategy is {@link Strategy#SIMPLE_ONE_FOR_ONE}
     * @return this builder
     * @throws IllegalArgumentException if another child has its id
     */
    public SupervisorBuilder child(ChildSpec spec) {
        if (children.stream().anyMatch(other -> other.id().equals(spec.id()))) {
            throw new IllegalArgumentException("another child has id=" + spec.id());
        }
        children.add(spec);
        return this;
    }

    /**
     * Lets {@code supervisor:start_child} start children of a kind, by a specification whose start function is {@code {Module, Function,
     * Arguments}}.
     *
     * @param module the module of the start function
     * @param function the name of the start function
     * @param factory makes the server from the arguments
     * @return this builder
     */
    public SupervisorBuilder kind(String module, String function, ChildFactory factory) {
        kinds.put(Tuple.of(Atom.of(module), Atom.of(function)), Objects.requireNonNull(factory, "factory"));
        return this;
    }

    /**
     * Builds a supervisor that has not been started.
     *
     * @return the supervisor, to be started once by {@link GenServer#start}
     * @throws IllegalArgumentException if the strategy is {@link Strategy#SIMPLE_ONE_FOR_ONE} and there is not exactly one child
     */
    public Supervisor build() {
        if (strategy == Strategy.SIMPLE_ONE_FOR_ONE && children.size() != 1) {
            throw new IllegalArgumentException(
                    "a simple_one_for_one supervisor has one template: expected children=1 got=" + children.size());
        }
        return new Supervisor(strategy, maxRestarts, period, List.copyOf(children), Map.copyOf(kinds));
    }
}
