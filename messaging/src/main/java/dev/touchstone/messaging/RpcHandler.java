package dev.touchstone.messaging;

import dev.touchstone.messaging.term.Term;
import java.util.List;

/** A function that other nodes may call by {@code rpc} and {@code erpc}. Called by several threads at once. */
@FunctionalInterface
public interface RpcHandler {
    /** Answers a call; what it throws is the caller's error, with the exception's text as its reason. */
    Term call(List<Term> arguments) throws Exception;
}
