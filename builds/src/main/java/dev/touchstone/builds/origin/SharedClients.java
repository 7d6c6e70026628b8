package dev.touchstone.builds.origin;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.builds.BuildClient;
import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.BuildException;
import dev.touchstone.builds.ConnectOptions;
import dev.touchstone.builds.Token;
import dev.touchstone.builds.access.Caller;
import dev.touchstone.builds.connect.BuildClientFactory;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Connections to the master, one for each token that guests have shown, as long as one of them is there. Thread-safe. */
final class SharedClients implements AutoCloseable {
    /*
     * Who calls:  threads that take calls `take`; whoever ends a guest `release`; whoever closes the gateway `close`. Submitting is the connection's
     *             own thread's.
     * Invariants: a connection is in `clients` as long as a guest has it. Its client is made and closed by its thread, which submits by it.
     * Failure:    a master that is not reached fails the call, and the next call tries again.
     */
    private final OriginOptions options;

    @GuardedBy("this")
    private final Map<Caller, Shared> clients = new HashMap<>();

    @GuardedBy("this")
    private final Map<Shared, Integer> users = new HashMap<>(); // guests of each connection

    SharedClients(OriginOptions options) {
        this.options = options;
    }

    /** Returns the connection of a token, which the caller releases. */
    synchronized Shared take(Caller caller, Token token) {
        Shared shared = clients.computeIfAbsent(caller, unused -> new Shared(token));
        users.merge(shared, 1, Integer::sum);
        return shared;
    }

    /** Gives a connection back. */
    synchronized void release(Caller caller, Shared shared) {
        int left = users.getOrDefault(shared, 0) - 1;
        if (left > 0) {
            users.put(shared, left);
            return;
        }
        users.remove(shared);
        if (clients.remove(caller, shared)) { // else all connections were closed
            shared.close();
        }
    }

    @Override
    public synchronized void close() {
        clients.values().forEach(Shared::close);
        clients.clear();
        users.clear();
    }

    /** A connection and the thread that submits by it: submitting waits while much is on its way. */
    final class Shared {
        private final Token token;
        private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
            Thread made = new Thread(task, "builds-origin-client");
            made.setDaemon(true);
            return made;
        });
        private @Nullable BuildClient client; // the thread's

        private Shared(Token token) {
            this.token = token;
        }

        /** Gives the client to a task, in the order of the calls; or the reason why there is none. */
        void run(Consumer<BuildClient> task, Consumer<BuildException> onFailure) {
            try {
                thread.execute(() -> {
                    try {
                        task.accept(connected());
                    } catch (BuildException e) {
                        onFailure.accept(e);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                        onFailure.accept(new BuildException(BuildCode.UNREACHABLE, "master is closed", e));
                    }
                });
            } catch (RejectedExecutionException e) {
                onFailure.accept(new BuildException(BuildCode.UNREACHABLE, "master is closed", e));
            }
        }

        private BuildClient connected() throws InterruptedException {
            BuildClient known = client;
            if (known == null) {
                ConnectOptions defaults = ConnectOptions.of(options.master().toString(), token);
                known = BuildClientFactory.connect(new ConnectOptions(
                        defaults.master(),
                        token,
                        options.admission().tls(),
                        options.admission().tick(),
                        defaults.connectTimeout(),
                        defaults.patience()));
                client = known;
            }
            return known;
        }

        private void close() {
            thread.execute(() -> {
                BuildClient known = client;
                if (known != null) {
                    known.close();
                }
            });
            thread.shutdown();
        }
    }
}
