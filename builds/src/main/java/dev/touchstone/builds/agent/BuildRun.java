package dev.touchstone.builds.agent;

import dev.touchstone.builds.agent.artefact.ArtefactCollector;
import dev.touchstone.builds.agent.artefact.Collected;
import dev.touchstone.builds.agent.artefact.WantedFiles;
import dev.touchstone.builds.agent.cache.BuildCaches;
import dev.touchstone.builds.agent.log.BuildLog;
import dev.touchstone.builds.agent.log.DiscardedLog;
import dev.touchstone.builds.agent.log.KeptLog;
import dev.touchstone.builds.agent.process.StopSignal;
import dev.touchstone.builds.agent.process.StoppedException;
import dev.touchstone.builds.agent.source.Checkout;
import dev.touchstone.builds.agent.source.name.SourceRefusedException;
import dev.touchstone.builds.agent.store.Attempt;
import dev.touchstone.builds.agent.store.JobFolder;
import dev.touchstone.builds.agent.store.Outcome;
import dev.touchstone.builds.agent.store.OutcomeCode;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The run of an attempt on an executor, from its folder to its outcome. The executor's thread only. */
final class BuildRun {
    private static final System.Logger LOGGER = System.getLogger(BuildRun.class.getName());

    private final CheckedJob job;
    private final Assignment assignment;
    private final StopSignal stop;
    private final BuildSteps steps;
    private final JobFolder folder;
    private final boolean masked;
    private BuildLog log = new DiscardedLog();
    private LogProgress growth;
    private boolean begun;
    private int exitCode = Outcome.NO_EXIT_CODE;
    private Collected collected = Collected.NONE;
    private @Nullable IOException lostArtefacts;
    private Duration pull = Duration.ZERO;
    private Duration build = Duration.ZERO;

    BuildRun(CheckedJob job, BuildSteps steps) {
        this.job = job;
        this.assignment = job.assignment();
        this.stop = job.stop();
        this.steps = steps;
        this.folder = steps.store().folder(job.name());
        this.growth = new LogProgress(job, log);
        this.masked = assignment.log() == LogMode.KEEP && !job.secrets().isEmpty();
    }

    /** Runs the attempt, tells its end, right before which {@code ended} comes, and returns how it ended. */
    OutcomeCode run(Runnable ended) {
        stop.startTimer(assignment.timeout());
        Verdict verdict = judge();
        if (!stop.decide()) {
            verdict = stop.stopped().map(found -> Verdict.ofStop(found, begun)).orElse(verdict);
        }
        Outcome outcome = end(new Verdict(verdict.code(), job.secrets().mask(verdict.message())));
        ended.run();
        Listeners.finished(job, outcome);
        return outcome.code();
    }

    private Verdict judge() {
        try {
            attempt();
            IOException failure = lostArtefacts;
            return failure == null
                    ? Verdict.ofExit(exitCode)
                    : Verdict.withoutArtefacts(exitCode, failure, steps.store().root());
        } catch (StoppedException e) {
            return Verdict.ofStop(e.stop(), begun);
        } catch (SourceRefusedException e) {
            return Verdict.ofRefusal(e);
        } catch (IOException e) {
            return Verdict.ofFailure(e, steps.store().root());
        } catch (RuntimeException | Error e) {
            LOGGER.log(System.Logger.Level.ERROR, "job=" + job.name() + " failed the agent", e);
            return Verdict.ofDefect(e);
        }
    }

    private void attempt() throws IOException, StoppedException {
        stop.check();
        begun = true;
        openLog();
        log.say(Banner.LOCKING);
        log.say(Banner.WAITING);
        Listeners.started(job, BuildListener.FETCHING);
        log.say(Banner.pulling(assignment));
        Checkout checkout = pull();
        for (String note : checkout.notes()) {
            log.say(note);
        }
        Path script = job.script().in(checkout.source());
        BuildCaches caches = caches(checkout);
        try {
            open(caches);
            caches.restore();
            run(checkout, script, caches);
        } catch (InterruptedIOException e) {
            stop.check();
            throw e;
        } finally {
            caches.close();
        }
    }

    private static void open(BuildCaches caches) throws FolderException {
        try {
            caches.open();
        } catch (IOException e) {
            throw new FolderException(e);
        }
    }

    private BuildCaches caches(Checkout checkout) {
        return new BuildCaches(
                steps.caches(),
                steps.folders(),
                job.source().repository().folder(),
                assignment.files(),
                checkout,
                this::checkCopying,
                log::say);
    }

    private void run(Checkout checkout, Path script, BuildCaches caches) throws IOException, StoppedException {
        Listeners.started(job, BuildListener.RUNNING);
        log.say(Banner.running(script, assignment.runner()));
        stop.check();
        long start = System.nanoTime();
        try {
            exitCode = new ScriptRun(job, steps, log, folder, growth).run(checkout, script, caches.home());
        } finally {
            build = Duration.ofNanos(System.nanoTime() - start);
        }
        if (exitCode == 0 || assignment.files().always()) {
            collect(checkout);
        }
        if (exitCode == 0 && lostArtefacts == null) {
            caches.keep();
        }
    }

    /** Copies artefacts into the attempt's folder before another build of the workspace removes them. */
    private void collect(Checkout checkout) throws IOException, StoppedException {
        WantedFiles files = assignment.files();
        if (files.artefacts().isEmpty()) {
            return;
        }
        Path trusted = checkout.workspace().resolveSibling("");
        ArtefactCollector collector =
                new ArtefactCollector(files.artefacts(), files.maxFiles(), files.maxBytes(), this::checkCopying);
        try {
            collected = collector.collect(trusted, trusted.relativize(checkout.source()), folder.bundle());
            log.say(Banner.collected(collected));
        } catch (IOException e) {
            stop.check();
            lostArtefacts = e;
        }
    }

    private void checkCopying() throws IOException {
        if (stop.isStopped()) {
            throw new InterruptedIOException("the build is stopped");
        }
    }

    private void openLog() throws FolderException {
        try {
            Attempt entry = new Attempt(
                    assignment.jobId(),
                    assignment.attempt(),
                    assignment.epoch(),
                    job.source().mark(),
                    masked);
            steps.store().create(folder, entry);
            if (assignment.log() == LogMode.KEEP) {
                KeptLog kept = KeptLog.create(
                        folder.path(),
                        assignment.maxLogBytes(),
                        job.secrets(),
                        steps.pipes().take());
                log = kept;
                growth = new LogProgress(job, kept);
                steps.tailer().watch(kept, growth::look);
            }
            steps.store().opened(job.name(), log);
        } catch (IOException e) {
            throw new FolderException(e);
        }
    }

    private Checkout pull() throws IOException, StoppedException {
        long start = System.nanoTime();
        try {
            return steps.sources().pull(job.source(), stop);
        } finally {
            pull = Duration.ofNanos(System.nanoTime() - start);
        }
    }

    /** Completes the log and writes the outcome down; whatever is thrown, nothing of the log stays open. */
    private Outcome end(Verdict verdict) {
        try {
            return complete(verdict);
        } finally {
            closeLog();
        }
    }

    private Outcome complete(Verdict verdict) {
        Verdict last = verdict;
        growth.end();
        try {
            log.endOfOutput();
            log.say(Banner.ended(verdict.code(), verdict.message()));
            log.say(Banner.durations(pull, build));
            log.finish();
        } catch (IOException e) {
            boolean ran = verdict.code() == OutcomeCode.SUCCEEDED || verdict.code() == OutcomeCode.SCRIPT_FAILED;
            last = ran ? Verdict.ofFailure(e, steps.store().root()) : verdict;
        }
        long bytes = log.readableBytes();
        boolean hasRun = last.code() == OutcomeCode.SUCCEEDED || last.code() == OutcomeCode.SCRIPT_FAILED;
        Outcome outcome = new Outcome(
                last.code(),
                exitCode,
                last.message(),
                pull,
                build,
                bytes,
                log.isTruncated(),
                hasRun ? collected : Collected.NONE);
        writeDown(outcome);
        return outcome;
    }

    private void closeLog() {
        steps.store().ended(job.name(), masked);
        if (log instanceof KeptLog kept) {
            steps.tailer().forget(kept);
        }
        try {
            log.close();
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.WARNING, "log of job=" + job.name() + " cannot be closed", e);
        }
    }

    /** Writes the outcome down; if that fails, the master is told it now, and nothing by a later life of the agent. */
    private void writeDown(Outcome outcome) {
        try {
            if (folder.exists()) {
                folder.write(outcome);
            }
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.WARNING, "outcome of job=" + job.name() + " cannot be written", e);
        }
    }
}
