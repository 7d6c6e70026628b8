package dev.touchstone.queue.replicated;

import dev.touchstone.queue.replicated.storage.StorageOptions;
import dev.touchstone.queue.replication.GroupOptions;
import dev.touchstone.queue.replication.NotProposedException;
import dev.touchstone.queue.replication.ReplicationGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Members of a group in this process, on free ports of the loopback interface. */
public final class Group implements AutoCloseable {
    /** Small segments: many of them, soon made. */
    static final StorageOptions STORAGE = new StorageOptions(64 << 10, 64 << 10, 2);

    static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final Set<String> GIVEN = ConcurrentHashMap.newKeySet();

    private final Path folder;
    final List<String> addresses = new ArrayList<>();
    final Map<String, ReplicationGroup> running = new TreeMap<>();
    final Map<String, CountingMachine> machines = new TreeMap<>();
    final Map<String, GroupOptions.Tls> tls = new TreeMap<>();
    final Map<String, Duration> electionTimeouts = new TreeMap<>();

    Group(Path folder, int members) throws IOException {
        this.folder = folder;
        for (int i = 0; i < members; i++) {
            addresses.add(freeAddress());
        }
    }

    /** Starts a group of members that know each other, at the same time as they wait for each other's answers. */
    static Group started(Path folder, int members) throws IOException {
        Group group = new Group(folder, members);
        group.startAll(group.addresses);
        return group;
    }

    /**
     * Returns an address at which nobody listens, each one once. Its port is below those that systems give to connections, so that it stays free between
     * two starts of a member.
     */
    public static String freeAddress() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(10_000, 30_000);
            String address = "127.0.0.1:" + port;
            if (GIVEN.add(address) && isFree(address)) {
                return address;
            }
        }
    }

    void startAll(List<String> members) throws IOException {
        List<CompletableFuture<ReplicationGroup>> starts = new ArrayList<>();
        for (String member : members) {
            starts.add(startLater(member, members));
        }
        for (int i = 0; i < starts.size(); i++) {
            running.put(members.get(i), get(starts.get(i)));
        }
    }

    CompletableFuture<ReplicationGroup> startLater(String member, List<String> members) {
        CountingMachine machine = new CountingMachine();
        machines.put(member, machine);
        GroupOptions options = options(member, members);
        CompletableFuture<ReplicationGroup> start = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                start.complete(new JraftEngine(STORAGE).start(options, machine));
            } catch (IOException | RuntimeException e) {
                start.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return start;
    }

    GroupOptions options(String member, List<String> members) {
        Duration electionTimeout = electionTimeouts.getOrDefault(member, Duration.ofMillis(500));
        return new GroupOptions(member, members, folderOf(member), electionTimeout, tls.get(member));
    }

    /** Returns whether nobody listens at an address. */
    public static boolean isFree(String address) {
        try (ServerSocket socket = new ServerSocket(
                Integer.parseInt(address.substring(address.lastIndexOf(':') + 1)),
                1,
                InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException inUse) {
            return false;
        }
    }

    ReplicationGroup start(String member, List<String> members) throws IOException {
        ReplicationGroup started = get(startLater(member, members));
        running.put(member, started);
        return started;
    }

    Path folderOf(String member) {
        return folder.resolve(member.replace(':', '-'));
    }

    /** Closes a member and deletes its folder. */
    void lose(String member) throws IOException {
        close(member);
        try (Stream<Path> files = Files.walk(folderOf(member))) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    void close(String member) throws IOException {
        ReplicationGroup closed = running.remove(member);
        if (closed != null) {
            closed.close();
        }
    }

    ReplicationGroup member(String address) {
        ReplicationGroup found = running.get(address);
        if (found == null) {
            throw new IllegalStateException("not running: " + address);
        }
        return found;
    }

    CountingMachine machine(String address) {
        CountingMachine found = machines.get(address);
        if (found == null) {
            throw new IllegalStateException("not started: " + address);
        }
        return found;
    }

    /** Waits until a member leads and all that run know it; returns its address. */
    String awaitLeader() {
        AtomicReference<String> known = new AtomicReference<>("");
        await("a leader that all know", () -> {
            running.forEach((address, group) -> {
                if (group.leads()) {
                    known.set(address);
                }
            });
            String leader = known.get();
            return running.containsKey(leader)
                    && running.values().stream().allMatch(group -> leader.equals(group.leader()));
        });
        return known.get();
    }

    /** Returns the members that run and are not {@code address}. */
    List<String> others(String address) {
        return running.keySet().stream()
                .filter(member -> !member.equals(address))
                .toList();
    }

    static CompletableFuture<@Nullable Void> propose(ReplicationGroup group, String text) {
        CompletableFuture<@Nullable Void> outcome = new CompletableFuture<>();
        group.propose(CountingMachine.entry(text), failure -> complete(outcome, failure));
        return outcome;
    }

    static CompletableFuture<@Nullable Void> barrier(ReplicationGroup group) {
        CompletableFuture<@Nullable Void> outcome = new CompletableFuture<>();
        group.barrier(failure -> complete(outcome, failure));
        return outcome;
    }

    private static void complete(CompletableFuture<@Nullable Void> outcome, @Nullable Throwable failure) {
        boolean first = failure == null ? outcome.complete(null) : outcome.completeExceptionally(failure);
        if (!first) {
            throw new AssertionError("told twice", failure);
        }
    }

    /** Proposes an entry, again as long as there is no leader for it; an election on a busy machine may still make its outcome unknown. */
    static void offer(ReplicationGroup group, String text) throws IOException {
        long start = System.nanoTime();
        while (true) {
            try {
                get(propose(group, text));
                return;
            } catch (NotProposedException e) {
                if (System.nanoTime() - start > PATIENCE.toNanos()) {
                    throw e;
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            }
        }
    }

    /** Proposes an entry, whatever becomes of it. */
    static void tryOffer(ReplicationGroup group, String text) {
        try {
            get(propose(group, text));
        } catch (IOException refusedOrUnknown) {
            pause(5);
        }
    }

    public static <T extends @Nullable Object> T get(CompletableFuture<T> future) throws IOException {
        try {
            return future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | CompletionException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            throw new AssertionError(e);
        } catch (TimeoutException e) {
            throw new AssertionError("no outcome within " + PATIENCE, e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Lets the members do something for a while. */
    static void pause(int millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    public static void await(String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > PATIENCE.toNanos()) {
                throw new AssertionError("not within " + PATIENCE + ": " + what);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    @Override
    public void close() throws IOException {
        closeAll();
    }

    /** Closes the members that run; they can be started again. */
    void closeAll() throws IOException {
        for (String member : List.copyOf(running.keySet())) {
            close(member);
        }
    }
}
