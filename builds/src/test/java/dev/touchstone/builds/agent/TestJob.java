package dev.touchstone.builds.agent;

import dev.touchstone.builds.agent.artefact.WantedFiles;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** An assignment in the making: a bash script build.sh on master, its log kept. */
final class TestJob {
    private final String jobId;
    private final String repository;
    private int attempt = 1;
    private String branch = "master";
    private Optional<String> commit = Optional.empty();
    private String script = "build.sh";
    private String runner = "bash";
    private final Map<String, String> environment = new HashMap<>();
    private final Set<String> secrets = new HashSet<>();
    private LogMode log = LogMode.KEEP;
    private Duration timeout = Duration.ofMinutes(5);
    private long maxLogBytes = 1L << 40;
    private WantedFiles files = WantedFiles.NONE;

    TestJob(String jobId, String repository) {
        this.jobId = jobId;
        this.repository = repository;
    }

    static TestJob of(String jobId, GitRepo repo) {
        return new TestJob(jobId, repo.url());
    }

    TestJob attempt(int number) {
        attempt = number;
        return this;
    }

    TestJob branch(String name) {
        branch = name;
        return this;
    }

    TestJob commit(String hex) {
        commit = Optional.of(hex);
        return this;
    }

    TestJob script(String path) {
        script = path;
        return this;
    }

    TestJob runner(String name) {
        runner = name;
        return this;
    }

    TestJob env(String name, String value) {
        environment.put(name, value);
        return this;
    }

    TestJob secret(String name, String value) {
        secrets.add(name);
        return env(name, value);
    }

    TestJob secretName(String name) {
        secrets.add(name);
        return this;
    }

    TestJob discard() {
        log = LogMode.DISCARD;
        return this;
    }

    TestJob timeout(Duration time) {
        timeout = time;
        return this;
    }

    TestJob maxLogBytes(long bytes) {
        maxLogBytes = bytes;
        return this;
    }

    TestJob files(WantedFiles wanted) {
        files = wanted;
        return this;
    }

    Assignment assignment() {
        return new Assignment(
                jobId,
                attempt,
                7,
                repository,
                branch,
                commit,
                script,
                runner,
                environment,
                secrets,
                log,
                timeout,
                maxLogBytes,
                files,
                OptionalLong.empty());
    }
}
