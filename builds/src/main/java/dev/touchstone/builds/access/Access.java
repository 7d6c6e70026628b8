package dev.touchstone.builds.access;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.builds.Token;
import java.io.IOException;
import java.lang.System.Logger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Knows callers by their tokens: one that all share, those of a file, or both. A change of the file counts from the next {@link #refresh} on.
 * Thread-safe.
 */
public final class Access {
    /*
     * Who calls:  any thread `find` and `isValid`, which take no lock; one thread `refresh`.
     * Invariants: `table` is replaced as a whole, and never changed.
     * Failure:    a file that cannot be read, or has a line that is none, changes nothing, and is in the log once.
     */
    private static final Logger LOG = System.getLogger(Access.class.getName());

    private final @Nullable Caller shared;
    private final @Nullable Path file;
    private volatile TokenTable table = TokenTable.EMPTY;

    @GuardedBy("this")
    private byte[] content = {}; // of the table

    @GuardedBy("this")
    private byte[] seen = {}; // by the last look at the file, as the next

    @GuardedBy("this")
    private FileTime seenChange = FileTime.fromMillis(0);

    @GuardedBy("this")
    private @Nullable String problem;

    private Access(@Nullable Token shared, @Nullable Path file) {
        this.shared = shared == null ? null : Caller.sharing(TokenTable.digest(shared));
        this.file = file;
    }

    /** Returns the access of all who know one token. */
    public static Access of(Token shared) {
        return new Access(Objects.requireNonNull(shared, "shared"), null);
    }

    /**
     * Returns the access of those whom a file lists.
     *
     * @param shared a token with all rights beside them, or null for none
     * @param file as {@link TokenTable#load} reads it; not null
     * @throws IOException if the file cannot be read, or has a line that is none; the message names the line
     */
    public static Access of(@Nullable Token shared, Path file) throws IOException {
        Access access = new Access(shared, Objects.requireNonNull(file, "file"));
        access.begin(file);
        return access;
    }

    /** Returns who shows a token, or null if nobody may. */
    public @Nullable Caller find(String shown) {
        Token token;
        try {
            token = Token.of(shown);
        } catch (IllegalArgumentException e) {
            return null;
        }
        String digest = TokenTable.digest(token);
        Caller known = shared;
        if (known != null && isSame(known.sha256(), digest)) {
            return known;
        }
        return table.find(digest);
    }

    private static boolean isSame(String a, String b) {
        return MessageDigest.isEqual(a.getBytes(StandardCharsets.US_ASCII), b.getBytes(StandardCharsets.US_ASCII));
    }

    /** Returns whether a caller, who was found once, still is what he was: his token neither gone nor changed in name or roles. */
    public boolean isValid(Caller caller) {
        return caller.equals(shared) || caller.equals(table.find(caller.sha256()));
    }

    /**
     * Looks at the file again. A change counts once two looks have found the same bytes, and nobody has written the file between them, since an editor may
     * empty the file before it writes, and do so again. A file that cannot be read changes nothing, and is in the log once.
     *
     * @return whether callers may have changed
     */
    public boolean refresh() {
        Path path = file;
        if (path == null) {
            return false;
        }
        try {
            return read(path);
        } catch (IOException e) {
            failed(e);
            return false;
        }
    }

    private synchronized void begin(Path path) throws IOException {
        content = TokenTable.read(path);
        seen = content;
        table = TokenTable.parse(path, content);
    }

    /** Compares all bytes: a file can change with neither its size nor its time of change. */
    private synchronized boolean read(Path path) throws IOException {
        FileTime change = (FileTime) Files.getAttribute(path, "unix:ctime"); // which no program can set
        byte[] now = TokenTable.read(path);
        boolean isStill = change.equals(seenChange) && Arrays.equals(now, seen);
        seen = now;
        seenChange = change;
        problem = null;
        if (!isStill || Arrays.equals(now, content)) {
            return false;
        }
        content = now; // a wrong one too: what is wrong is said once
        table = TokenTable.parse(path, now);
        return true;
    }

    private synchronized void failed(IOException failure) {
        String now = failure.toString();
        if (!now.equals(problem)) {
            problem = now;
            LOG.log(Logger.Level.ERROR, "file of tokens cannot be read, its earlier state counts: cause=" + now);
        }
    }
}
