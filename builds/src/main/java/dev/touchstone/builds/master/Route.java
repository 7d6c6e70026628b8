package dev.touchstone.builds.master;

import dev.touchstone.builds.BuildRequest;

/** What a job asks of an agent; jobs of one route wait in one line. */
record Route(String label, String runner, boolean noop) {
    static Route of(BuildRequest request) {
        return new Route(request.label(), request.runner(), request.noop());
    }

    boolean isOf(BuildRequest request) {
        return noop == request.noop() && runner.equals(request.runner()) && label.equals(request.label());
    }

    @Override
    public String toString() {
        return "label=" + label + " runner=" + runner;
    }
}
