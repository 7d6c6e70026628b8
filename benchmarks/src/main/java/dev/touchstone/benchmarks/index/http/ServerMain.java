package dev.touchstone.benchmarks.index.http;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Entry point of a server's process: {@code index} and the arguments of index-server, or {@code constant} and those of {@link ConstantServer}. It ends when its
 * standard input does, so that none outlives the JVM that started it.
 */
final class ServerMain {
    static final String INDEX = "index";
    static final String CONSTANT = "constant";

    private ServerMain() {}

    public static void main(String[] args) throws InterruptedException {
        Thread watch = new Thread(ServerMain::awaitEnd, "parent");
        watch.setDaemon(true);
        watch.start();
        String[] rest = Arrays.copyOfRange(args, 1, args.length);
        if (args[0].equals(INDEX)) {
            dev.touchstone.index.server.Main.main(rest);
        } else {
            PrintWriter out =
                    new PrintWriter(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.US_ASCII);
            ConstantServer.run(Integer.parseInt(rest[0]), Integer.parseInt(rest[1]), out);
        }
    }

    private static void awaitEnd() {
        try {
            while (System.in.read() >= 0) {
                // nothing is expected
            }
        } catch (IOException e) {
            // as good as the end
        }
        Runtime.getRuntime().halt(0);
    }
}
