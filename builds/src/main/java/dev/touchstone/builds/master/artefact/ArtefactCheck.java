package dev.touchstone.builds.master.artefact;

import dev.touchstone.builds.file.Bundle;
import dev.touchstone.builds.file.OwnerOnly;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;

/**
 * The check of the artefacts of a master that does not run: reads every byte of each list and content. Used by one thread.
 *
 * <p>A repair moves what is damaged into the folder {@code damaged}, and takes it, and what is missing, from the lists of jobs; what is whole stays.
 */
public final class ArtefactCheck {
    private static final String DAMAGED = "damaged";

    private final ArtefactFiles files;
    private final LongPredicate isKept;
    private final List<String> problems = new ArrayList<>();
    private final List<Path> damaged = new ArrayList<>();
    private final Map<Long, Bundle> shortened = new HashMap<>(); // lists without what is lost
    private final Map<String, String> checked = new HashMap<>(); // what is wrong with a content, by its digest

    private ArtefactCheck(Path folder, LongPredicate isKept) {
        this.files = new ArtefactFiles(folder);
        this.isKept = isKept;
    }

    /**
     * Describes what is damaged or gone. Changes nothing.
     *
     * @param folder of the artefacts, which need not be there; not null
     * @param isKept says of a job's number whether the job has ended and has artefacts: a master removes the others'; not null
     * @return a line for each list or file that is lost
     * @throws IOException if a folder cannot be read
     */
    public static List<String> verify(Path folder, LongPredicate isKept) throws IOException {
        ArtefactCheck check = new ArtefactCheck(folder, isKept);
        check.run();
        return check.problems;
    }

    /** Moves aside what {@link #verify} finds damaged, and takes it from the lists of jobs; returns a line for each file that was moved. */
    public static List<String> repair(Path folder, LongPredicate isKept) throws IOException {
        ArtefactCheck check = new ArtefactCheck(folder, isKept);
        check.run();
        List<String> moved = new ArrayList<>();
        for (Path file : check.damaged) {
            Path to = OwnerOnly.folder(folder.resolve(DAMAGED)).resolve(file.getFileName());
            Files.deleteIfExists(to);
            Files.move(file, to);
            moved.add("a damaged artefact is kept: file=" + to);
        }
        for (Map.Entry<Long, Bundle> list : check.shortened.entrySet()) {
            OwnerOnly.replace(
                    check.files.list(list.getKey()),
                    ByteBuffer.wrap(list.getValue().encode()));
        }
        return moved;
    }

    private void run() throws IOException {
        for (long job : files.jobs()) {
            if (!isKept.test(job)) {
                continue;
            }
            Bundle bundle;
            try {
                bundle = files.read(job);
            } catch (IOException e) {
                problems.add("lost: the list of a job's artefacts: job number=" + job + " cause=" + e.getMessage());
                damaged.add(files.list(job));
                continue;
            }
            List<Bundle.Item> whole = new ArrayList<>();
            for (Bundle.Item item : bundle.items()) {
                String problem = checked.get(item.sha256());
                if (problem == null) {
                    problem = check(item);
                    checked.put(item.sha256(), problem);
                }
                if (problem.isEmpty()) {
                    whole.add(item);
                } else {
                    problems.add("lost: an artefact: job number=" + job + " name=" + item.name() + " cause=" + problem);
                }
            }
            if (whole.size() < bundle.items().size()) {
                shortened.put(job, new Bundle(whole));
            }
        }
    }

    /** Returns what is wrong with a content; empty if nothing is. */
    private String check(Bundle.Item item) {
        Path file = files.content(item.sha256());
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return "file is missing";
        }
        MessageDigest digest = Bundle.sha256();
        try (FileChannel in = OwnerOnly.open(file, StandardOpenOption.READ);
                DigestInputStream bytes = new DigestInputStream(Channels.newInputStream(in), digest)) {
            long read = bytes.transferTo(OutputStream.nullOutputStream());
            String got = HexFormat.of().formatHex(digest.digest());
            if (read == item.size() && got.equals(item.sha256())) {
                return "";
            }
            damaged.add(file);
            return "expected bytes=" + item.size() + " sha256=" + item.sha256() + " got bytes=" + read + " sha256="
                    + got;
        } catch (IOException e) {
            return "file cannot be read: " + e.getMessage();
        }
    }
}
