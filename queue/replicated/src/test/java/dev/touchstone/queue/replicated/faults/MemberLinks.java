package dev.touchstone.queue.replicated.faults;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.queue.replicated.Group;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Links between the members of a group, each of which can be cut and slowed down in each direction. Thread-safe.
 *
 * <p>Members know each other by names. The name of a member is another loopback address in each process, by a hosts file of its own
 * ({@code jdk.net.hosts.file}), and a proxy listens on each of them: so the address tells which member connects, without any right of the
 * system. The member itself listens on an address of its own.
 *
 * <p>A cut holds the bytes and the ends of connections back, as a network does that loses all packets of a direction and sends them again when
 * it is well: connections stay, and what was on its way arrives late. Only the system's answer to a new connection comes at once. A cut with a
 * reset ends the connections of the link, and each new one.
 */
final class MemberLinks implements Closeable {
    /*
     * Who calls:   the test changes links; a thread for each proxy accepts; four threads carry the bytes of a connection (LinkPump).
     * Invariants:  bytes from one member to another pass only while that direction is not cut, whichever of them has made the connection.
     * Failure:     a connection whose end fails is closed at both ends.
     */
    private static final int FIRST_NETWORK = 16;
    private static final int NETWORKS = 200;
    private static final int CONNECT_MILLIS = 2_000;

    private final int members;
    private final int network;
    private final List<String> names = new ArrayList<>();
    private final List<String> listens = new ArrayList<>();
    private final List<ServerSocket> proxies = new ArrayList<>();
    private final Set<Link> open = ConcurrentHashMap.newKeySet();

    @GuardedBy("this")
    private final boolean[][] isCut;

    @GuardedBy("this")
    private final boolean[][] isReset;

    @GuardedBy("this")
    private final int[][] delayMillis;

    @GuardedBy("this")
    private boolean isClosed;

    /** A connection that member {@code from} has made to member {@code to}. */
    private record Link(int from, int to, Socket near, Socket far) {}

    /** Opens the proxies of a group of so many members. @throws IOException if this system has no addresses for them */
    MemberLinks(int members) throws IOException {
        this.members = members;
        network = FIRST_NETWORK + (int) (ProcessHandle.current().pid() % NETWORKS);
        isCut = new boolean[members][members];
        isReset = new boolean[members][members];
        delayMillis = new int[members][members];
        boolean done = false;
        try {
            for (int to = 0; to < members; to++) {
                addProxies(to);
            }
            done = true;
        } finally {
            if (!done) {
                close();
            }
        }
    }

    private void addProxies(int to) throws IOException {
        listens.add(Group.freeAddress());
        int port = 0;
        for (int from = 0; from < members; from++) {
            if (from != to) {
                ServerSocket proxy = new ServerSocket();
                proxies.add(proxy);
                proxy.setReuseAddress(true);
                proxy.bind(new InetSocketAddress(view(from, to), port));
                port = proxy.getLocalPort();
                int source = from;
                start("proxy " + from + " to " + to, () -> accept(proxy, source, to));
            }
        }
        names.add("member" + to + ":" + port);
    }

    /** Returns the address by which member {@code from} reaches member {@code to}. */
    private String view(int from, int to) {
        return "127." + network + "." + (from + 1) + "." + (to + 1);
    }

    /** Returns the addresses of the members, as all of them know them. */
    List<String> names() {
        return List.copyOf(names);
    }

    /** Returns the address on which a member has to listen. */
    String listen(int member) {
        return listens.get(member);
    }

    /** Writes the hosts file of a member's process. */
    void writeHosts(int member, Path file) throws IOException {
        List<String> lines = new ArrayList<>(List.of("127.0.0.1 localhost"));
        lines.add("127.0.0.1 " + InetAddress.getLocalHost().getHostName());
        for (int to = 0; to < members; to++) {
            lines.add((to == member ? "127.0.0.1" : view(member, to)) + " member" + to);
        }
        Files.write(file, lines);
    }

    /** Holds back what one member sends to another. */
    synchronized void cut(int from, int to) {
        isCut[from][to] = true;
    }

    /** Holds back everything between two members. */
    synchronized void cutBoth(int one, int other) {
        cut(one, other);
        cut(other, one);
    }

    /** Ends the connections between two members, and each new one. */
    void reset(int one, int other) {
        synchronized (this) {
            isReset[one][other] = true;
            isReset[other][one] = true;
        }
        drop(one, other);
    }

    /** Ends the connections between two members. */
    void drop(int one, int other) {
        for (Link link : open) {
            if ((link.from == one && link.to == other) || (link.from == other && link.to == one)) {
                end(link);
            }
        }
    }

    /** Lets what one member sends to another arrive later. */
    synchronized void delay(int from, int to, int millis) {
        delayMillis[from][to] = millis;
    }

    /** Makes all links whole; what was held back arrives. */
    synchronized void heal() {
        for (int from = 0; from < members; from++) {
            for (int to = 0; to < members; to++) {
                isCut[from][to] = false;
                isReset[from][to] = false;
                delayMillis[from][to] = 0;
            }
        }
        notifyAll();
    }

    /** Returns the time at which bytes that are sent now may arrive, in nanoseconds. */
    synchronized long arrival(int from, int to) {
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(delayMillis[from][to]);
    }

    /** Waits until a direction is not cut; returns false when all links are closed. */
    synchronized boolean awaitOpen(int from, int to) throws InterruptedException {
        while (isCut[from][to] && !isClosed) {
            wait();
        }
        return !isClosed;
    }

    private synchronized boolean isReset(int from, int to) {
        return isReset[from][to] || isClosed;
    }

    private void accept(ServerSocket proxy, int from, int to) {
        while (true) {
            try {
                Socket near = proxy.accept();
                start("connect " + from + " to " + to, () -> connect(near, from, to));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void connect(Socket near, int from, int to) {
        Link link = new Link(from, to, near, new Socket());
        open.add(link);
        try {
            if (isReset(from, to)) {
                end(link);
                return;
            }
            int colon = listens.get(to).lastIndexOf(':');
            int port = Integer.parseInt(listens.get(to).substring(colon + 1));
            link.far.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
            near.setTcpNoDelay(true);
            link.far.setTcpNoDelay(true);
            new LinkPump(this, from, to, near, link.far, () -> end(link)).start();
            new LinkPump(this, to, from, link.far, near, () -> end(link)).start();
        } catch (IOException absent) {
            endWhenOpen(link);
        }
    }

    /** Tells the one who connects that nobody listens, once a message of the other member could arrive. */
    private void endWhenOpen(Link link) {
        try {
            boolean unused = awaitOpen(link.from, link.to) && awaitOpen(link.to, link.from);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        end(link);
    }

    private void end(Link link) {
        open.remove(link);
        for (Socket socket : List.of(link.near, link.far)) {
            try {
                socket.setSoLinger(true, 0); // a reset
            } catch (IOException closed) {
                // by the other thread
            }
            try {
                socket.close();
            } catch (IOException closed) {
                // as far as it can be
            }
        }
    }

    static void start(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        synchronized (this) {
            isClosed = true;
            notifyAll();
        }
        for (ServerSocket proxy : proxies) {
            proxy.close();
        }
        open.forEach(this::end);
    }
}
