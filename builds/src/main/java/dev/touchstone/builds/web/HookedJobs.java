package dev.touchstone.builds.web;

import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.access.Caller;
import dev.touchstone.builds.access.Role;
import dev.touchstone.builds.hook.HookJobs;
import dev.touchstone.builds.hook.StatusReport;
import java.util.Optional;
import java.util.Set;

/** The jobs of hooks, each submitted in the name of its hook's owner. Thread-safe. */
final class HookedJobs implements HookJobs {
    private final BuildsView view;

    HookedJobs(BuildsView view) {
        this.view = view;
    }

    /** Returns a caller whom no token makes: a digest is never empty. */
    private static Caller caller(String owner) {
        return new Caller(owner, Set.of(Role.SUBMIT), "");
    }

    @Override
    public String submit(String owner, String key, BuildRequest request) {
        return view.submit(caller(owner), request, key).id();
    }

    @Override
    public Optional<StatusReport.State> state(String owner, String id) {
        return view.job(caller(owner), id).map(HookedJobs::state);
    }

    /** Returns what a forge is told of a job. */
    static StatusReport.State state(JobSummary job) {
        return switch (job.status()) {
            case "SUCCEEDED" -> StatusReport.State.SUCCESS;
            case "SCRIPT_FAILED", "TIMED_OUT" -> StatusReport.State.FAILURE;
            case "ACCEPTING", "QUEUED" -> StatusReport.State.PENDING;
            default -> job.over() ? StatusReport.State.ERROR : StatusReport.State.RUNNING;
        };
    }
}
