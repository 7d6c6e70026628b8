package dev.touchstone.messaging;

import dev.touchstone.messaging.term.Term;
import java.util.List;

/** A function that other nodes may call by {@code rpc} and {@code erpc}. Called by several threads at once. */
@FunctionalInterface
public interface RpcHandler {
    /**
     * Answers a call.
     *
     * @param arguments arguments of the caller
     * @return value that the caller gets
     * @throws Exception if the call fails, which is the caller's error, with the exception's text as its reason
     */
    Term call(List<Term> arguments) throws Exception;
}
