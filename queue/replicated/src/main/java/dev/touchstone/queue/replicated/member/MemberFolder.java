package dev.touchstone.queue.replicated.member;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.DiskFileIo;
import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.replicated.storage.SmallFile;
import dev.touchstone.queue.replication.GroupOptions;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The folder of a member: its lock, its id, its group's id, the members that it has answered, and whether it was admitted to a group. Thread-safe. */
public final class MemberFolder implements Closeable {
    /*
     * Who calls:   the thread that starts the member; admit() also a thread of the executor.
     * Invariants:  a member whose folder was empty is a candidate until it is admitted, over any number of starts: it has confirmed nothing in this
     *              folder, and what it has confirmed in one that is lost, it must not let the group lose. So it neither votes nor stores entries.
     *              A folder with the member's id and without the candidate's file is that of a member that was admitted: it has a log and a vote.
     *              A member elects itself before it has entries only if it is a founder, and only with the members that founded the group with it, which are stored when it is
     *              admitted: with others, or in a group that has begun without it, it would begin a second log of the same group, which the others would not notice.
     * Ordering:    the folder becomes the member's when the member has bound its address, so that a mistyped one does not take it.
     *              On the device are, in this order: the candidate's file, the id, the log, the vote, the group's id. Then the candidate's file is deleted, and only then the
     *              member takes part. So a first start that is cut at any moment is made again by the next one.
     */
    static final String CANDIDATE = "candidate";

    static final String GROUP = "group";

    private static final String CANDIDATE_TEXT = "touchstone-candidate 1\n";
    private static final String GROUP_HEADER = "touchstone-group 1\n";
    private static final String ADDED = "added";
    private static final String FOUNDERS = "founders";
    private static final Pattern GROUP_TEXT =
            Pattern.compile(GROUP_HEADER + "([0-9a-f]{32})\n(?:" + ADDED + "\n|" + FOUNDERS + " (\\S.*)\n)?");
    private static final int MAX_GROUP_BYTES = 1 << 16;
    private static final String LOCK = "lock";
    private static final Set<String> BEFORE_START = Set.of(
            LOCK,
            CANDIDATE,
            CANDIDATE + SmallFile.TEMPORARY_SUFFIX,
            GROUP,
            GROUP + SmallFile.TEMPORARY_SUFFIX,
            Identity.FILE,
            Identity.FILE + SmallFile.TEMPORARY_SUFFIX,
            AnsweredMembers.FILE,
            AnsweredMembers.FILE + SmallFile.TEMPORARY_SUFFIX);
    private static final Set<String> STORED = Set.of(NodeSettings.LOG, NodeSettings.META, NodeSettings.SNAPSHOT);
    private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(2);

    private final FileIo io;
    private final Path folder;
    private final Closeable lock;
    private final Identity identity;
    private final AnsweredMembers answered;

    @GuardedBy("this")
    private boolean isCandidate;

    private volatile String group = ""; // written under this

    private volatile List<String> founders = List.of(); // written under this

    private MemberFolder(FileIo io, Path folder, String address, Closeable lock) throws IOException {
        this.io = io;
        this.folder = folder;
        this.lock = lock;
        requireId(folder);
        identity = Identity.open(io, folder, address, isEmpty(folder));
        answered = new AnsweredMembers(io, folder);
        isCandidate = !exists(folder.resolve(Identity.FILE)) || exists(folder.resolve(CANDIDATE));
        if (!isCandidate) { // a candidate may join another one than before
            Matcher text = groupText(io, folder);
            group = text.group(1);
            String addresses = text.group(2);
            founders = addresses == null ? List.of() : List.of(addresses.split(" "));
        }
    }

    /**
     * Returns the id of the group of the member whose folder this is, as far as the folder can be read; else an empty text.
     *
     * @param folder folder of a member, which may run; not null
     */
    public static String groupOf(Path folder) {
        try {
            boolean hasOne = exists(folder.resolve(GROUP)) && !exists(folder.resolve(CANDIDATE));
            return hasOne ? groupText(new DiskFileIo(), folder).group(1) : "";
        } catch (IOException e) {
            return "";
        }
    }

    /**
     * Returns the address of the member whose folder this is, as far as the folder can be read; else an empty text.
     *
     * @param folder folder of a member, which may run; not null
     */
    public static String addressOf(Path folder) {
        try {
            Path file = folder.resolve(Identity.FILE);
            return exists(file) ? Identity.read(new DiskFileIo(), file).address() : "";
        } catch (IOException e) {
            return "";
        }
    }

    /** Returns the text of the file that tells the group. */
    private static Matcher groupText(FileIo io, Path folder) throws IOException {
        Path file = folder.resolve(GROUP);
        if (!exists(file)) {
            throw new CorruptLogException(file, 0, "id of the group", "the file", "no file");
        }
        Matcher text = GROUP_TEXT.matcher(SmallFile.read(io, file, MAX_GROUP_BYTES));
        if (!text.matches()) {
            throw new CorruptLogException(
                    file,
                    0,
                    "id of the group",
                    "the lines touchstone-group 1 and 32 hexadecimal digits, and added, or founders and their addresses",
                    "others");
        }
        return text;
    }

    /**
     * Locks and reads the folder of a member, or creates it.
     *
     * @throws IOException if it is in use, cannot be read, or belongs to another member
     */
    static MemberFolder open(GroupOptions options, FileIo io) throws IOException {
        Path folder = options.folder();
        io.createFolder(folder);
        Closeable lock = io.lock(folder.resolve(LOCK), LOCK_TIMEOUT);
        try {
            return new MemberFolder(io, folder, options.member(), lock);
        } catch (Throwable e) {
            lock.close();
            throw e;
        }
    }

    /** Returns whether a member has never stored anything of its group in {@code folder}. */
    private static boolean isEmpty(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).allMatch(BEFORE_START::contains);
        }
    }

    /**
     * Checks that a folder with what a member stores has the member's id. Other files without it are in a folder that is none of a member.
     *
     * @throws CorruptLogException if it does not
     */
    private static void requireId(Path folder) throws CorruptLogException {
        Path file = folder.resolve(Identity.FILE);
        if (!exists(file) && STORED.stream().map(folder::resolve).anyMatch(MemberFolder::exists)) {
            throw new CorruptLogException(file, 0, "member id", "the file", "no file");
        }
    }

    private static boolean exists(Path file) {
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    }

    Identity identity() {
        return identity;
    }

    AnsweredMembers answered() {
        return answered;
    }

    /** Returns whether the member has not been admitted to a group yet. */
    synchronized boolean isCandidate() {
        return isCandidate;
    }

    /** Makes a folder that was empty the one of this member, as a candidate; on return this is on the device. */
    synchronized void take() throws IOException {
        if (isCandidate && !exists(folder.resolve(CANDIDATE))) {
            SmallFile.write(io, folder.resolve(CANDIDATE), CANDIDATE_TEXT);
        }
        if (!exists(folder.resolve(Identity.FILE))) {
            identity.store(io, folder);
        }
    }

    /** Returns the id of the member's group, which never changes; empty before the member is admitted to one. */
    String group() {
        return group;
    }

    /**
     * Returns the addresses of the members with which the group began, if this one was among them: they vote before they have an entry that names the members. Else an
     * empty list.
     */
    List<String> founders() {
        return founders;
    }

    /**
     * Notes that the member may take part in a group; on return this is on the device.
     *
     * @param id id of the group
     * @param first addresses of the members with which the group begins; empty if it has begun without this one
     */
    synchronized void admit(String id, List<String> first) throws IOException {
        if (isCandidate || !id.equals(group) || !first.equals(founders)) {
            String origin = first.isEmpty() ? ADDED : FOUNDERS + " " + String.join(" ", first);
            SmallFile.write(io, folder.resolve(GROUP), GROUP_HEADER + id + "\n" + origin + "\n");
        }
        group = id;
        founders = List.copyOf(first);
        if (isCandidate) {
            io.delete(folder.resolve(CANDIDATE));
            io.forceFolder(folder);
            isCandidate = false;
        }
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
