package dev.touchstone.benchmarks;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.openjdk.jol.vm.VM;

/** JOL, set up to read the sizes of this JVM's objects from within. */
public final class Jol {
    private Jol() {}

    /** Sets JOL up, without the two lines that it prints about ways to sizes which it finds without them. Once, before anything else of JOL's. */
    public static void prepare() {
        System.setProperty("jol.magicFieldOffset", "true"); // there is no other way to records
        System.setProperty("jol.skipDynamicAttach", "true"); // which JVMs refuse
        System.setProperty("jol.skipHotspotSAAttach", "true"); // it would be another process
        PrintStream out = System.out;
        System.setOut(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
        try {
            VM.current();
        } finally {
            System.setOut(out);
        }
    }
}
