package dev.touchstone.builds.master;

import dev.touchstone.builds.file.OwnerOnly;
import dev.touchstone.builds.master.artefact.ArtefactCheck;
import dev.touchstone.builds.master.job.Job;
import dev.touchstone.builds.master.job.Recovery;
import dev.touchstone.builds.master.journal.Event;
import dev.touchstone.builds.master.journal.JournalFolder;
import dev.touchstone.builds.master.log.AttemptFiles;
import dev.touchstone.queue.inspect.FolderReport;
import dev.touchstone.queue.inspect.FoundDamage;
import dev.touchstone.queue.inspect.QueueFolder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The check and the repair of a master's folder that no master uses. Used by one thread.
 *
 * <p>A repair writes a new journal of all events that can be read, and keeps the damaged one. Numbers of lives and jobs go on far behind all that the
 * lost events may have used, so that no epoch and no job's number comes twice.
 */
public final class FolderCheck {
    private static final long LIVES_BEHIND = 1 << 10;
    private static final long JOBS_BEHIND = 1 << 20;

    private final Path folder;
    private final JournalFolder journal;
    private final Recovery recovery = new Recovery();
    private final List<String> lost = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private long events;

    /**
     * The state of a master's folder.
     *
     * @param isWhole whether a master starts as it is, and nothing is lost
     * @param events number of events that can be read
     * @param jobs number of jobs that these know
     * @param unfinished number of those without a result, which a master goes on with
     * @param lost descriptions of what is lost
     * @param problems damaged places
     */
    public record Report(
            boolean isWhole, long events, int jobs, long unfinished, List<String> lost, List<String> problems) {
        /** Creates a report with copies of the lists. */
        public Report {
            lost = List.copyOf(lost);
            problems = List.copyOf(problems);
        }

        /** Returns this report with more that is lost. */
        Report withLost(List<String> more) {
            List<String> all = new ArrayList<>(lost);
            all.addAll(more);
            return new Report(isWhole && more.isEmpty(), events, jobs, unfinished, all, problems);
        }
    }

    private FolderCheck(Path folder) throws NoSuchFileException {
        this.folder = folder;
        this.journal = new JournalFolder(folder);
        if (!Files.isDirectory(journal.path(), LinkOption.NOFOLLOW_LINKS)) {
            throw new NoSuchFileException(journal.path().toString(), null, "the folder holds no master's journal");
        }
    }

    /**
     * Reads every byte of the journal and of artefacts, and looks for the logs of the jobs that the journal knows. Changes nothing.
     *
     * @param folder the master's folder; not null
     * @return report
     * @throws NoSuchFileException if the folder holds no journal
     * @throws dev.touchstone.queue.inspect.FolderInUseException if a master uses the folder
     * @throws IOException if a file cannot be read
     */
    public static Report verify(Path folder) throws IOException {
        FolderCheck check = new FolderCheck(folder);
        Report journal = check.read(event -> {});
        return journal.withLost(ArtefactCheck.verify(check.artefacts(), check.recovery::hasArtefacts));
    }

    /**
     * Makes a damaged folder one that a master starts on. Does nothing if nothing is damaged.
     *
     * @param folder the master's folder; not null
     * @return report of what was found before the repair, with the folder in which the damaged journal is kept
     * @throws NoSuchFileException if the folder holds no journal
     * @throws dev.touchstone.queue.inspect.FolderInUseException if a master uses the folder
     * @throws IOException if a file cannot be read or written
     */
    public static Report repair(Path folder) throws IOException {
        FolderCheck look = new FolderCheck(folder);
        Report journal = look.read(event -> {});
        Report found = journal.withLost(ArtefactCheck.verify(look.artefacts(), look.recovery::hasArtefacts));
        if (found.isWhole()) {
            return found;
        }
        OwnerOnly.tighten(folder);
        found = found.withLost(ArtefactCheck.repair(look.artefacts(), look.recovery::hasArtefacts));
        return journal.isWhole()
                ? found
                : found.withLost(List.of("the damaged journal is kept: folder=" + replaceJournal(folder)));
    }

    private static Path replaceJournal(Path folder) throws IOException {
        FolderCheck check = new FolderCheck(folder);
        return check.journal.replaceDamaged(to -> {
            Report unused = check.read(to);
            to.accept(check.life().encode());
        });
    }

    private Path artefacts() {
        return folder.resolve("artefacts");
    }

    private Report read(Consumer<byte[]> events) throws IOException {
        FolderReport files = new QueueFolder(journal.path()).verify(file -> {});
        boolean isDamaged = false;
        boolean isUnread = false; // something besides a checkpoint of the events that were removed
        for (FoundDamage damage : files.damages()) {
            problems.add(
                    "damage: file=" + damage.file() + " offset=" + damage.offset() + " " + damage.what() + " expected="
                            + damage.expected() + " got=" + damage.got() + (damage.harmless() ? "; harmless" : ""));
            isDamaged |= !damage.harmless();
            isUnread |= !damage.harmless() && !damage.file().startsWith("CURSOR");
            if (damage.lost() > 0) {
                lost.add("lost: events=" + damage.lost() + " sequences=" + damage.first() + ".." + (damage.end() - 1));
            }
        }
        visit(files, events);
        if (isDamaged && lost.isEmpty()) {
            lost.add(
                    isUnread
                            ? "lost: an unknown number of events"
                            : "lost: a checkpoint of what was removed from the journal, and no event");
        }
        if (recovery.prefix() == null && this.events > 0) {
            lost.add("lost: the prefix of job ids; the ids that clients know are not known any more");
        }
        logs();
        long unfinished = recovery.jobs().stream()
                .filter(job -> job.state != Job.State.ENDED)
                .count();
        if (!lost.isEmpty()) {
            lost.add("jobs=" + recovery.jobs().size() + " are known; unfinished=" + unfinished
                    + " of them run, also where a result was lost");
        }
        return new Report(
                lost.isEmpty() && !isDamaged, this.events, recovery.jobs().size(), unfinished, lost, problems);
    }

    private void visit(FolderReport files, Consumer<byte[]> to) throws IOException {
        boolean knowsCursor =
                files.cursors().stream().anyMatch(cursor -> cursor.name().isEmpty());
        @Nullable String cursor = knowsCursor ? "" : null;
        new QueueFolder(journal.path()).visitAtRest(0, cursor, new QueueFolder.LogVisitor() {
            @Override
            public boolean element(long sequence, long notBeforeMillis, byte[] element) {
                if (play(sequence, element)) {
                    to.accept(element);
                }
                return true;
            }

            @Override
            public void consumed(long name, long first, long end) {
                // the report has it
            }

            @Override
            public void attempted(long name, long sequence, int deliveries, long notBeforeMillis) {
                // nothing is handed out
            }

            @Override
            public void damaged(FoundDamage damage) {
                // the report has it
            }
        });
    }

    private boolean play(long sequence, byte[] element) {
        Event event;
        try {
            event = Event.decodeWhole(ByteBuffer.wrap(element));
        } catch (RuntimeException e) {
            lost.add("lost: the record with sequence=" + sequence + " is no event: " + e.getMessage());
            return false;
        }
        recovery.play(sequence, event);
        events++;
        return true;
    }

    /** Looks for logs that are shorter than their jobs' results say. Logs have no checksum. */
    private void logs() throws IOException {
        AttemptFiles logs = new AttemptFiles(folder.resolve("logs"));
        for (Job job : recovery.jobs()) {
            long expected = job.ending == null ? 0 : job.ending.logBytes();
            if (job.state == Job.State.ENDED && expected > 0 && Files.exists(logs.of(job.number, 1))) {
                long got = logs.total(job.number);
                if (got < expected) {
                    lost.add("lost: the end of a log: job number=" + job.number + " expected bytes=" + expected
                            + " got=" + got);
                }
            }
        }
    }

    /** Returns the event by which the repaired journal ends. */
    private Event life() throws IOException {
        String prefix = recovery.prefix();
        return new Event.Life(
                recovery.life() + LIVES_BEHIND,
                prefix == null ? Master.newPrefix() : prefix,
                Math.max(recovery.nextNumber(), lastLog() + 1) + JOBS_BEHIND);
    }

    /** Returns the greatest number of a job that may have a log; 0 if there is none. */
    private long lastLog() throws IOException {
        Path logs = folder.resolve("logs");
        if (!Files.isDirectory(logs, LinkOption.NOFOLLOW_LINKS)) {
            return 0;
        }
        try (Stream<Path> folders = Files.list(logs)) {
            return folders.map(each -> String.valueOf(each.getFileName()))
                    .filter(name -> name.matches("\\d{1,15}"))
                    .mapToLong(name -> AttemptFiles.lastOf(Long.parseLong(name)))
                    .max()
                    .orElse(0);
        }
    }
}
