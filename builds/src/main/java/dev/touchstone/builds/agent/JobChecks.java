package dev.touchstone.builds.agent;

import dev.touchstone.builds.agent.log.Secrets;
import dev.touchstone.builds.agent.process.EnvironmentPolicy;
import dev.touchstone.builds.agent.process.Runners;
import dev.touchstone.builds.agent.process.StopSignal;
import dev.touchstone.builds.agent.source.SourceRequest;
import dev.touchstone.builds.agent.source.Sources;
import dev.touchstone.builds.agent.source.name.BranchName;
import dev.touchstone.builds.agent.source.name.CommitId;
import dev.touchstone.builds.agent.source.name.RepositoryUrl;
import dev.touchstone.builds.agent.source.name.ScriptPath;
import dev.touchstone.builds.agent.store.Attempt;
import dev.touchstone.builds.agent.store.OutcomeCode;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;
import java.util.regex.Pattern;

/** Looks through assignments before anything is done for them: what passes here cannot name a file or an option that it should not. */
final class JobChecks {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
    private static final int MARK_BYTES = 12;

    private final Runners runners;
    private final EnvironmentPolicy environment;
    private final Sources sources;
    private final Set<String> schemes;
    private final SecureRandom random = new SecureRandom();

    JobChecks(Runners runners, EnvironmentPolicy environment, Sources sources, Set<String> schemes) {
        this.runners = runners;
        this.environment = environment;
        this.sources = sources;
        this.schemes = schemes;
    }

    /** Checks what names the attempt. */
    static void checkName(Assignment assignment) {
        checkId(assignment.jobId());
        if (assignment.attempt() < 1) {
            throw new AssignmentRefusedException(
                    OutcomeCode.REFUSED, "attempt=" + assignment.attempt() + " is not positive");
        }
    }

    static void checkId(String jobId) {
        if (!ID.matcher(jobId).matches()) {
            throw new AssignmentRefusedException(
                    OutcomeCode.REFUSED,
                    "jobId of length=" + jobId.length()
                            + " is not at most 100 letters, digits, dots, dashes and underscores");
        }
    }

    /** Checks an assignment, and returns the job that it asks for. */
    CheckedJob check(Assignment assignment, BuildListener listener) {
        if (!runners.names().contains(assignment.runner())) {
            throw new AssignmentRefusedException(
                    OutcomeCode.NO_RUNNER,
                    "runner=\"" + shown(assignment.runner()) + "\" is not one of " + runners.names());
        }
        if (assignment.timeout().isNegative() || assignment.timeout().isZero() || assignment.maxLogBytes() < 1) {
            throw new AssignmentRefusedException(
                    OutcomeCode.REFUSED,
                    "timeout=" + assignment.timeout() + " or maxLogBytes=" + assignment.maxLogBytes()
                            + " is not positive");
        }
        RepositoryUrl repository = RepositoryUrl.parse(assignment.repository(), schemes);
        BranchName branch = BranchName.parse(assignment.branch());
        ScriptPath script = ScriptPath.parse(assignment.script());
        try {
            assignment.files().check();
        } catch (IllegalArgumentException e) {
            throw new AssignmentRefusedException(OutcomeCode.REFUSED, e);
        }
        environment.check(assignment.environment());
        Secrets secrets = Secrets.of(assignment.environment(), assignment.secretNames());
        SourceRequest source = new SourceRequest(
                repository,
                branch,
                assignment.commit().map(CommitId::parse),
                assignment.accepted().orElseGet(sources::accept),
                mark(assignment));
        return new CheckedJob(assignment, source, script, secrets, listener, new StopSignal());
    }

    /** Returns a mark that no other attempt has, in this life of the agent or another, and that nobody can guess. */
    private String mark(Assignment assignment) {
        byte[] bytes = new byte[MARK_BYTES];
        random.nextBytes(bytes);
        return Attempt.name(assignment.jobId(), assignment.attempt()) + "-"
                + HexFormat.of().formatHex(bytes);
    }

    private static String shown(String text) {
        return text.substring(0, Math.min(text.length(), 40)).replaceAll("[^\\x20-\\x7e]", "?");
    }
}
