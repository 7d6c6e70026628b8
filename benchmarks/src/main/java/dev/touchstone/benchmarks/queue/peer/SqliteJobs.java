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
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * SQLite as a table of jobs: one table with the time at which the lease of a job ends, 0 where the job is free, and an index on that
 * time. One connection, which owns the file; workers take turns at it.
 *
 * <p>{@link #open} waits for the device at each commit ({@code synchronous=FULL}); removal, addition and lease of one {@link
 * #exchange} are one transaction. {@link #openBatched} never waits for it and keeps a transaction open for as many operations as fill a
 * batch of our queue, for 10 ms at most.
 */
public final class SqliteJobs implements JobTable {
    /*
     * Who calls:      any number of workers; the timer of a batched table.
     * Invariants:     the table is in a transaction while the lock is free only if it is batched; operations counts those in it.
     * Ordering:       every statement runs under the lock.
     * Failure:        the transaction is rolled back and the caller is told; a batched table loses its batch, as it would in a
     *                 crash. A commit of the timer that fails is told to whoever calls next.
     */

    private static final int PAGE_BYTES = 1024;
    private static final int DEFAULT_PAGE_BYTES = 4096;
    private static final long BATCH_MILLIS = 10;
    private static final int BATCH_OPERATIONS = 2_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final @Nullable ScheduledExecutorService timer;

    @GuardedBy("lock")
    private final Table table;

    @GuardedBy("lock")
    private int operations;

    @GuardedBy("lock")
    private @Nullable SQLException failure;

    private SqliteJobs(Path folder, boolean batched, int pageBytes) throws SQLException {
        table = new Table(folder, batched ? "off" : "full", pageBytes);
        timer = batched ? Executors.newSingleThreadScheduledExecutor() : null;
        if (timer != null) {
            Future<?> unused =
                    timer.scheduleWithFixedDelay(this::commitLate, BATCH_MILLIS, BATCH_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** Opens a table in {@code folder} that waits for the device at each commit. */
    public static JobTable open(Path folder) throws IOException {
        return open(folder, false, PAGE_BYTES);
    }

    /** Opens a table as {@link #open} does, with SQLite's default pages of 4 KiB. */
    public static JobTable openDefaultPages(Path folder) throws IOException {
        return open(folder, false, DEFAULT_PAGE_BYTES);
    }

    /** Opens a table in {@code folder} that commits batches to the page cache. */
    public static JobTable openBatched(Path folder) throws IOException {
        return open(folder, true, PAGE_BYTES);
    }

    private static JobTable open(Path folder, boolean batched, int pageBytes) throws IOException {
        try {
            return new SqliteJobs(folder, batched, pageBytes);
        } catch (SQLException e) {
            throw new IOException("cannot open the table of jobs, folder=" + folder, e);
        }
    }

    @Override
    public void write(byte[] record) throws IOException {
        change(jobs -> jobs.add(record));
    }

    @Override
    public byte @Nullable [] read() throws IOException {
        Leased removed = transact(jobs -> {
            Leased first = jobs.lease();
            if (first != null) {
                jobs.remove(first);
            }
            return first;
        });
        return removed == null ? null : removed.payload;
    }

    @Override
    public @Nullable Job lease() throws IOException {
        return transact(Table::lease);
    }

    @Override
    public void finish(Job done) throws IOException {
        change(jobs -> jobs.remove((Leased) done));
    }

    @Override
    public @Nullable Job exchange(Job done, byte[] added) throws IOException {
        return transact(jobs -> {
            jobs.remove((Leased) done);
            jobs.add(added);
            return jobs.lease();
        });
    }

    @Override
    public void scan(Consumer<byte[]> sink) throws IOException {
        change(jobs -> jobs.scan(sink));
    }

    @Override
    public void clear() throws IOException {
        change(jobs -> jobs.execute("delete from jobs"));
    }

    /**
     * Returns the number of commits, each of which forces the log once; 0 of a batched table. The three forces of a checkpoint, which
     * comes once in some hundred commits, are not counted.
     */
    @Override
    public long forces() {
        lock.lock();
        try {
            return timer == null ? table.commits : 0;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() throws IOException {
        if (timer != null) {
            timer.shutdownNow();
        }
        lock.lock();
        try {
            try {
                commit();
            } finally {
                table.close();
            }
        } catch (SQLException e) {
            throw new IOException("cannot close the table of jobs", e);
        } finally {
            lock.unlock();
        }
    }

    private void change(Change change) throws IOException {
        this.<Leased>transact(jobs -> {
            change.run(jobs);
            return null;
        });
    }

    private <T> @Nullable T transact(Work<T> work) throws IOException {
        lock.lock();
        try {
            SQLException earlier = failure;
            if (earlier != null) {
                throw earlier;
            }
            table.begin();
            T result = work.run(table);
            operations++;
            if (timer == null || operations >= BATCH_OPERATIONS) {
                commit();
            }
            return result;
        } catch (SQLException e) {
            table.rollBack(e);
            throw new IOException("the table of jobs refused an operation", e);
        } catch (IllegalStateException e) { // nothing was changed before it, and a batch holds the work of others
            if (timer == null) {
                table.rollBack(e);
            }
            throw e;
        } finally {
            lock.unlock();
        }
    }

    private void commitLate() {
        lock.lock();
        try {
            commit();
        } catch (SQLException e) {
            failure = e;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void commit() throws SQLException {
        operations = 0;
        table.commit();
    }

    /** Statements of one operation that have a result. */
    @FunctionalInterface
    private interface Work<T> {
        @Nullable
        T run(Table jobs) throws SQLException;
    }

    /** Statements of one operation that have no result. */
    @FunctionalInterface
    private interface Change {
        void run(Table jobs) throws SQLException;
    }

    @SuppressWarnings("ArrayRecordComponent") // nobody compares leases
    private record Leased(long id, long until, byte[] payload) implements Job {}

    /** The connection and its prepared statements, for one thread at a time. */
    private static final class Table {

        private final Connection connection;
        private final PreparedStatement begin;
        private final PreparedStatement commit;
        private final PreparedStatement insert;
        private final PreparedStatement lease;
        private final PreparedStatement remove;
        private boolean begun;
        private long commits;

        Table(Path folder, String synchronous, int pageBytes) throws SQLException {
            connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("jobs.db"));
            execute("pragma page_size=" + pageBytes);
            execute("pragma locking_mode=exclusive");
            execute("pragma journal_mode=wal");
            execute("pragma wal_autocheckpoint=4000");
            execute("pragma synchronous=" + synchronous);
            execute("create table if not exists jobs "
                    + "(id integer primary key, until integer not null default 0, payload blob not null)");
            execute("create index if not exists jobs_until on jobs(until)");
            execute("update jobs set until = 0 where until > 0");
            begin = connection.prepareStatement("begin immediate");
            commit = connection.prepareStatement("commit");
            insert = connection.prepareStatement("insert into jobs(payload) values (?)");
            lease = connection.prepareStatement("update jobs set until = ? where id = "
                    + "(select id from jobs where until <= ? order by until, id limit 1) returning id, payload");
            remove = connection.prepareStatement("delete from jobs where id = ? and until = ?");
        }

        void begin() throws SQLException {
            if (!begun) {
                begin.execute();
                begun = true;
            }
        }

        void commit() throws SQLException {
            if (begun) {
                commit.execute();
                begun = false;
                commits++;
            }
        }

        void rollBack(Exception cause) {
            if (begun) {
                try {
                    execute("rollback");
                    begun = false;
                } catch (SQLException e) {
                    cause.addSuppressed(e);
                }
            }
        }

        void add(byte[] record) throws SQLException {
            insert.setBytes(1, record);
            insert.executeUpdate();
        }

        @Nullable
        Leased lease() throws SQLException {
            long now = System.currentTimeMillis();
            long until = now + LEASE_MILLIS;
            lease.setLong(1, until);
            lease.setLong(2, now);
            try (ResultSet found = lease.executeQuery()) {
                return found.next() ? new Leased(found.getLong(1), until, found.getBytes(2)) : null;
            }
        }

        void remove(Leased done) throws SQLException {
            remove.setLong(1, done.id);
            remove.setLong(2, done.until);
            if (remove.executeUpdate() != 1) {
                throw new IllegalStateException("the lease of the job has ended, id=" + done.id);
            }
        }

        void scan(Consumer<byte[]> sink) throws SQLException {
            try (Statement select = connection.createStatement();
                    ResultSet found = select.executeQuery("select payload from jobs order by id")) {
                while (found.next()) {
                    sink.accept(found.getBytes(1));
                }
            }
        }

        void execute(String sql) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
            }
        }

        void close() throws SQLException {
            connection.close();
        }
    }
}
