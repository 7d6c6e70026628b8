package dev.touchstone.builds.hook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Takes what forges send: each push of a branch that its hook wants becomes one job, however often it is told. Thread-safe. */
public final class Hooks implements AutoCloseable {
    private static final int MAX_PUSHES = 100; // of one delivery
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Map<String, Hook> byName = new HashMap<>();
    private final HookJobs jobs;
    private final StatusReporter reporter;

    /**
     * Creates the hooks of a master.
     *
     * @param hooks what is built, each with another name
     * @param jobs makes the jobs; not null
     * @param folder path of a folder that has the builds of which forges are still to be told, those of an earlier life too; null if a restart may
     *     forget them
     * @throws IllegalArgumentException if two hooks have the same name
     */
    public Hooks(List<Hook> hooks, HookJobs jobs, @Nullable Path folder) {
        this.jobs = jobs;
        for (Hook hook : hooks) {
            if (byName.putIfAbsent(hook.name(), hook) != null) {
                throw new IllegalArgumentException("two hooks have the same name: name=" + hook.name());
            }
        }
        this.reporter = new StatusReporter(jobs, folder == null ? null : new ReportFolder(folder));
        reporter.resume(byName);
    }

    /** Returns the hook of a name; empty if there is none. */
    public Optional<Hook> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /**
     * Takes a delivery.
     *
     * @param header returns the first value of a header; null if it is missing
     * @param body as it came
     * @return the jobs; none if it is no push, or of no branch that the hook wants
     * @throws SecurityException if whoever has sent the delivery does not know the hook's secret; no more is said
     * @throws IllegalArgumentException if the delivery is not what the forge sends
     * @throws dev.touchstone.builds.BuildException if the master refuses a job
     */
    public HookAnswer receive(Hook hook, Function<String, @Nullable String> header, byte[] body) {
        if (!hook.forge().isAuthentic(header, body, hook.secret().text())) {
            throw new SecurityException("signature or secret is wrong or missing");
        }
        if (!hook.forge().isPush(header)) {
            return new HookAnswer(List.of(), "not a push");
        }
        String delivery = hook.forge().delivery(header, body);
        List<Push> pushes = hook.forge().pushes(parse(body));
        if (pushes.size() > MAX_PUSHES) {
            throw new IllegalArgumentException("too many branches: count=" + pushes.size() + " most=" + MAX_PUSHES);
        }
        List<String> ids = new ArrayList<>();
        for (Push push : pushes) {
            if (hook.takes(push.branch())) {
                String key = "hook " + hook.name() + " " + delivery + " " + push.branch();
                String id = jobs.submit(hook.owner(), key, hook.request(push));
                reporter.follow(hook, push, id);
                ids.add(id);
            }
        }
        return new HookAnswer(ids, ids.isEmpty() ? "no branch that the hook wants" : "");
    }

    private static JsonNode parse(byte[] body) {
        try {
            return MAPPER.readTree(body);
        } catch (IOException e) {
            throw new IllegalArgumentException("body is not JSON; have the forge send application/json", e);
        }
    }

    /** Stops telling forges. */
    @Override
    public void close() {
        reporter.close();
    }
}
