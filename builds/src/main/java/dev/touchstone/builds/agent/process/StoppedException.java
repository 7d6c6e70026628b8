package dev.touchstone.builds.agent.process;

/** A step ended early because its run was stopped. */
public final class StoppedException extends Exception {
    private static final long serialVersionUID = 1;

    private final transient StopSignal.Stop stop;

    StoppedException(StopSignal.Stop stop) {
        super("stopped: cause=" + stop.cause() + ", " + stop.reason());
        this.stop = stop;
    }

    public StopSignal.Stop stop() {
        return stop;
    }
}
