package dev.touchstone.builds.master.job;

import dev.touchstone.builds.wire.RequestMessage;
import dev.touchstone.builds.wire.v1.Wire;

/** A connected agent as its jobs see it. The dispatcher's. */
public interface LeaseHolder {
    /** Returns the agent's identity. */
    String name();

    /** Returns the number of the agent's present life. */
    long life();

    /**
     * Gives it a job, of which it is told at the end of the turn.
     *
     * @param answerNanos time by which it must have answered a noop, if it has no other
     */
    void assign(Job job, RequestMessage request, long answerNanos);

    /** Counts a job no more that it had. */
    void release(Job job);

    /** Has it told at the end of the turn that it may forget a job. */
    void forget(Job job);

    /** Has it told something at the end of the turn. */
    void tell(Wire.ToAgent.Builder message);
}
