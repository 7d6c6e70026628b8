package dev.touchstone.builds;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Stands between two ends of a connection, and cuts: when it is told to, or behind random numbers of bytes. */
@SuppressWarnings({"NullAway", "IntLongMath"}) // set before the first use; small numbers
public final class CuttingProxy implements AutoCloseable {
    private static final int LINGER_ZERO = 0;

    private final ServerSocket server;
    private final int target;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile boolean refusing;
    private volatile boolean slow;
    private volatile boolean paused;
    private volatile boolean answersPaused;
    private final AtomicInteger accepted = new AtomicInteger();
    private Random random; // guarded by this, as the next two
    private int leastBytes;
    private int mostBytes;
    private int cuts;

    public CuttingProxy(int target) throws IOException {
        this.target = target;
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        thread(this::accept, "proxy");
    }

    private static void thread(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    public int port() {
        return server.getLocalPort();
    }

    /** Whether connections are closed as they come. */
    public void refuse(boolean value) {
        refusing = value;
    }

    /** Whether it takes nothing from either side. */
    public void pause(boolean value) {
        paused = value;
    }

    /** Takes nothing from the target while {@code value} is true; what goes there is passed on. */
    public void pauseAnswers(boolean value) {
        answersPaused = value;
    }

    /** Returns how many connections were accepted. */
    public int accepted() {
        return accepted.get();
    }

    /** Hands bytes over one by one. */
    public void slow(boolean value) {
        slow = value;
    }

    /** Cuts each connection behind a random number of bytes, this often. */
    public synchronized void cutAtRandom(long seed, int least, int most, int times) {
        random = new Random(seed);
        leastBytes = least;
        mostBytes = most;
        cuts = times;
    }

    public synchronized int cutsLeft() {
        return cuts;
    }

    public void cutAll() {
        sockets.forEach(CuttingProxy::cut);
    }

    private static void cut(Socket socket) {
        try {
            socket.setSoLinger(true, LINGER_ZERO); // a reset, which may overtake what was sent
            socket.close();
        } catch (IOException e) {
            // it is closed
        }
    }

    private synchronized long bytesUntilCut() {
        if (random == null || cuts == 0) {
            return Long.MAX_VALUE;
        }
        return leastBytes + random.nextInt(mostBytes - leastBytes);
    }

    private synchronized boolean takeCut() {
        boolean cut = cuts > 0;
        cuts -= cut ? 1 : 0;
        return cut;
    }

    private void accept() {
        try {
            while (true) {
                Socket near = server.accept();
                accepted.incrementAndGet();
                if (refusing) {
                    cut(near);
                } else {
                    pass(near);
                }
            }
        } catch (IOException e) {
            // closed
        }
    }

    private void pass(Socket near) {
        try {
            Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
            near.setTcpNoDelay(true);
            far.setTcpNoDelay(true);
            sockets.add(near);
            sockets.add(far);
            thread(() -> pump(near, far, () -> paused), "proxy-out");
            thread(() -> pump(far, near, () -> paused || answersPaused), "proxy-in");
        } catch (IOException e) {
            cut(near); // the target listens no more, or not yet
        }
    }

    private void pump(Socket from, Socket to, BooleanSupplier pause) {
        long left = bytesUntilCut();
        byte[] buffer = new byte[8192];
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                while (pause.getAsBoolean() && !from.isClosed()) {
                    LockSupport.parkNanos(1_000_000);
                }
                int pass = (int) Math.min(read, left);
                for (int i = 0; i < pass; i += slow ? 1 : pass) {
                    out.write(buffer, i, slow ? 1 : pass);
                }
                left -= pass;
                if (left == 0 && takeCut()) {
                    break;
                }
                if (left == 0) {
                    out.write(buffer, pass, read - pass);
                    left = Long.MAX_VALUE;
                }
            }
        } catch (IOException e) {
            // cut by the other direction
        }
        cut(from);
        cut(to);
        sockets.remove(from);
        sockets.remove(to);
    }

    @Override
    public void close() throws IOException {
        server.close();
        cutAll();
    }
}
