package dev.touchstone.benchmarks.queue.peer;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * SQLite as a queue: a table of records by growing number, each inserted in a transaction of its own. One connection owns the file, in WAL
 * mode unless the method says otherwise, with {@code synchronous=FULL}, so that each commit forces the log; writers and the reader take turns at it.
 */
public final class SqliteAdapter implements QueueUnderTest {
    /*
     * Who calls:      any number of writers, and at most one reader.
     * Invariants:     no transaction is open while the monitor is free.
     * Ordering:       every statement runs under the monitor.
     * Failure:        the statement's transaction is rolled back and the caller is told.
     */

    private static final String WAL = "wal";
    private static final int PAGE_BYTES = 4096; // SQLite's default
    private static final int SMALL_PAGE_BYTES = 1024;

    @GuardedBy("this")
    private final Connection connection;

    @GuardedBy("this")
    private final PreparedStatement insert;

    @GuardedBy("this")
    private final PreparedStatement remove;

    @GuardedBy("this")
    private long commits;

    private SqliteAdapter(Path folder, String journal, int pageBytes) throws SQLException {
        connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("queue.db"));
        try (Statement statement = connection.createStatement()) {
            statement.execute("pragma page_size=" + pageBytes);
            statement.execute("pragma locking_mode=exclusive");
            statement.execute("pragma journal_mode=" + journal);
            statement.execute("pragma synchronous=full");
            statement.execute("create table if not exists records (id integer primary key, record blob not null)");
        }
        insert = connection.prepareStatement("insert into records(record) values (?)");
        remove = connection.prepareStatement(
                "delete from records where id = (select min(id) from records) returning record");
    }

    /** Opens a table in {@code folder}. */
    public static QueueUnderTest open(Path folder) throws IOException {
        return open(folder, WAL, PAGE_BYTES);
    }

    /** Opens a table in {@code folder} whose pages have 1 KiB. */
    public static QueueUnderTest openSmallPages(Path folder) throws IOException {
        return open(folder, WAL, SMALL_PAGE_BYTES);
    }

    /** Opens a table in {@code folder} that keeps what it overwrites in a journal instead of writing ahead. */
    public static QueueUnderTest openRollback(Path folder) throws IOException {
        return open(folder, "persist", PAGE_BYTES);
    }

    private static QueueUnderTest open(Path folder, String journal, int pageBytes) throws IOException {
        try {
            return new SqliteAdapter(folder, journal, pageBytes);
        } catch (SQLException e) {
            throw failure(e);
        }
    }

    @Override
    public synchronized void write(byte[] record) throws IOException {
        try {
            insert.setBytes(1, record);
            insert.executeUpdate();
            commits++;
        } catch (SQLException e) {
            throw failure(e);
        }
    }

    @Override
    public synchronized byte @Nullable [] read() throws IOException {
        try (ResultSet removed = remove.executeQuery()) {
            commits++;
            return removed.next() ? removed.getBytes(1) : null;
        } catch (SQLException e) {
            throw failure(e);
        }
    }

    @Override
    public synchronized void scan(Consumer<byte[]> sink) throws IOException {
        try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("select record from records order by id")) {
            while (found.next()) {
                sink.accept(found.getBytes(1));
            }
        } catch (SQLException e) {
            throw failure(e);
        }
    }

    @Override
    public synchronized void clear() throws IOException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("delete from records");
            commits++;
        } catch (SQLException e) {
            throw failure(e);
        }
    }

    /** Returns the number of commits, each of which forces the log once; the forces of checkpoints are not counted. */
    @Override
    public synchronized long forces() {
        return commits;
    }

    @Override
    public synchronized void close() throws IOException {
        try {
            connection.close();
        } catch (SQLException e) {
            throw failure(e);
        }
    }

    private static IOException failure(SQLException e) {
        return new IOException("SQLite refused an operation of the queue", e);
    }
}
