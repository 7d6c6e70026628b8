package dev.touchstone.builds.master.job;

import dev.touchstone.builds.BuildRequest;

/**
 * The demands of a job on an agent; jobs of one route wait in one line. Immutable.
 *
 * @param files whether the agent must know artefacts and caches
 */
public record Route(String label, String runner, boolean noop, boolean files) {
    static Route of(BuildRequest request) {
        return new Route(
                request.label(),
                request.runner(),
                request.noop(),
                !request.files().isEmpty());
    }

    boolean isOf(BuildRequest request) {
        return noop == request.noop()
                && files != request.files().isEmpty()
                && runner.equals(request.runner())
                && label.equals(request.label());
    }

    @Override
    public String toString() {
        return "label=" + label + " runner=" + runner + (files ? " with artefacts or caches" : "");
    }
}
