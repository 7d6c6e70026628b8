package dev.touchstone.queue.replicated.member;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.replicated.link.MemberReport;
import dev.touchstone.queue.replicated.link.Message;
import dev.touchstone.queue.replicated.link.Message.Kind;
import dev.touchstone.queue.replicated.storage.StorageFactory;
import dev.touchstone.queue.replication.ReplicatedMachine;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Verification of this member beside the others. A member that was told the number of a verification copies its state when it applies the entry with that
 * number, as all others do, so that equal states have equal digests; and it reads each entry of its log and its last snapshot.
 * Thread-safe.
 */
final class Verification {
    /*
     * Who calls:   the link expects and asks; the applying thread begins; a thread of its own reads and writes.
     * Invariants:  one copy of the state at a time, be it for a snapshot or for this: the machine keeps the records of one only.
     *              An entry whose number was not expected does nothing, as when the log is applied again after a start.
     *              Several verifications may be expected at a time; one whose entry comes during another's copy is told to be made again.
     */
    private static final String FOLDER = "verification";
    private static final int MAX_ANSWERS = 16;
    private static final Pattern NUMBER = Pattern.compile("[0-9a-f]{16}");

    private final String member;
    private final Path folder;
    private final Path snapshots;
    private final AtomicBoolean copying = new AtomicBoolean();

    private volatile @Nullable StorageFactory storage;

    /** Answers to the question for the report of a verification, by its number; the oldest is forgotten first. */
    @GuardedBy("this")
    private final Map<String, Message> answers = new LinkedHashMap<>();

    /** Creates the verification of a member whose files are in {@code folder}. */
    Verification(String member, Path folder) {
        this.member = member;
        this.folder = folder.resolve(FOLDER);
        snapshots = folder.resolve(NodeSettings.SNAPSHOT);
    }

    /** Sets the storage of the member's log, before the member starts. */
    void attach(StorageFactory ofTheLog) {
        storage = ofTheLog;
    }

    /** Begins to copy the state for a snapshot or for a verification; returns false if another copy is under way. */
    boolean beginCopy() {
        return copying.compareAndSet(false, true);
    }

    /** Ends a copy that was begun. */
    void endCopy() {
        copying.set(false);
    }

    /** Returns whether a text is the number of a verification. */
    static boolean isNumber(String text) {
        return NUMBER.matcher(text).matches();
    }

    /** Expects the entry of a verification; answers that this is so. */
    synchronized Message expect(String number) {
        if (!isNumber(number)) {
            return Message.of(Kind.NOT_DONE, "not the number of a verification: expected 16 hexadecimal digits");
        }
        answers.put(number, Message.of(Kind.NOT_YET, "member " + member + " has not finished"));
        if (answers.size() > MAX_ANSWERS) {
            answers.remove(answers.keySet().iterator().next());
        }
        return Message.of(Kind.DONE, "");
    }

    /** Answers with the report of a verification, or that there is none yet, or that there will be none. */
    synchronized Message report(String number) {
        return answers.getOrDefault(
                number, Message.of(Kind.NOT_DONE, "member " + member + " was started since the verification began"));
    }

    /** Begins, if the number is expected; called when the entry is applied. */
    void begin(long index, String number, ReplicatedMachine machine) {
        synchronized (this) {
            if (!answers.containsKey(number)) {
                return;
            }
        }
        if (!beginCopy()) {
            end(number, Message.of(Kind.BUSY, "a snapshot or another verification is under way"));
            return;
        }
        try {
            ReplicatedMachine.Snapshot state = machine.copy();
            Thread thread =
                    new Thread(() -> verify(index, number, state, machine), "queue-replicated-verification-" + member);
            thread.setDaemon(true);
            thread.start();
        } catch (IOException | RuntimeException e) {
            endCopy();
            end(number, MemberReport.failed(member, "the state cannot be copied: " + e));
        }
    }

    private void end(String number, MemberReport report) {
        end(number, Message.of(Kind.DONE, report.text()));
    }

    private synchronized void end(String number, Message answer) {
        answers.replace(number, answer);
    }

    private void verify(long index, String number, ReplicatedMachine.Snapshot state, ReplicatedMachine machine) {
        List<String> damages = new ArrayList<>();
        List<String> failures = new ArrayList<>();
        String digest = "";
        try {
            digest = digest(state);
        } catch (IOException | RuntimeException e) {
            boolean isDamaged = isDamage(e);
            (isDamaged ? damages : failures).add("the state cannot be read: " + (isDamaged ? e.getMessage() : e));
        } finally {
            endCopy();
        }
        StorageFactory.Reading log = new StorageFactory.Reading(0, 0, null);
        try {
            log = Objects.requireNonNull(storage).readAll();
            if (log.damage() != null) {
                damages.add("the log: " + log.damage());
            }
        } catch (RuntimeException e) {
            failures.add("the log cannot be read: " + e);
        }
        String snapshotDamage = SnapshotFiles.damage(snapshots, machine);
        if (snapshotDamage != null) {
            damages.add(snapshotDamage);
        }
        end(
                number,
                new MemberReport(member, index, digest, log.first(), log.last(), joined(damages), joined(failures)));
    }

    private static boolean isDamage(Throwable failure) {
        return failure instanceof CorruptLogException || (failure.getCause() != null && isDamage(failure.getCause()));
    }

    private static @Nullable String joined(List<String> texts) {
        return texts.isEmpty() ? null : String.join("; ", texts);
    }

    private String digest(ReplicatedMachine.Snapshot state) throws IOException {
        delete(folder);
        Files.createDirectory(folder);
        try {
            state.write(folder);
            return digest(folder);
        } finally {
            delete(folder);
        }
    }

    private static String digest(Path folder) throws IOException {
        MessageDigest sha = sha256();
        for (Path file : SnapshotFiles.list(folder)) {
            sha.update(SnapshotFiles.name(folder, file).getBytes(StandardCharsets.UTF_8));
            try (InputStream in = Files.newInputStream(file);
                    DigestOutputStream out = new DigestOutputStream(OutputStream.nullOutputStream(), sha)) {
                long unused = in.transferTo(out);
            }
        }
        return HexFormat.of().formatHex(sha.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        List<Path> all;
        try (Stream<Path> paths = Files.walk(folder)) {
            all = paths.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : all) {
            Files.delete(path);
        }
    }
}
