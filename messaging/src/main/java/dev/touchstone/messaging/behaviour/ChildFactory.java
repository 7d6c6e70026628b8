package dev.touchstone.messaging.behaviour;

import dev.touchstone.messaging.term.Term;
import java.util.List;

/** A factory of a child's servers: a new one for each start. */
@FunctionalInterface
public interface ChildFactory {
    /**
     * Creates a server that has not been started.
     *
     * @param arguments of the specification's start function; those of {@code supervisor:start_child} behind them where the supervisor is
     *     {@link Strategy#SIMPLE_ONE_FOR_ONE}; empty for a {@link ChildSpec} made in Java
     * @return the server
     * @throws Exception if there can be none; the child is then not started
     */
    GenServer create(List<Term> arguments) throws Exception;
}
