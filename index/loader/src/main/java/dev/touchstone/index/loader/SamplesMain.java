package dev.touchstone.index.loader;

import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.sample.MixedPrices;
import dev.touchstone.index.sample.SeedPrices;
import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A program that writes sample prices as CSV, to show the format and to have data to load. */
public final class SamplesMain {
    private static final int USAGE = 2;
    private static final int FAILED = 5;
    private static final int MIXED = 100_000;

    private SamplesMain() {}

    /**
     * Writes the samples, and ends the JVM with status 2 if the arguments are wrong or 5 if the file cannot be written.
     *
     * @param args {@code seed} or {@code mixed}, then the file to write; standard output if there is no file
     */
    public static void main(String[] args) {
        try (PrintStream err =
                new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8)) {
            boolean isKnown = args.length > 0
                    && args.length < 3
                    && List.of("seed", "mixed").contains(args[0]);
            if (!isKnown) {
                err.println("usage: SamplesMain seed|mixed [FILE]");
                System.exit(USAGE);
            }
            try (Writer target = args.length == 2
                    ? Files.newBufferedWriter(Path.of(args[1]))
                    : new BufferedWriter(
                            new OutputStreamWriter(new FileOutputStream(FileDescriptor.out), StandardCharsets.UTF_8))) {
                write(args[0], target);
            } catch (IOException e) {
                err.println(e);
                System.exit(FAILED);
            }
        }
    }

    /** Writes the samples with a name: {@code seed} or {@code mixed}. */
    static void write(String name, Writer target) throws IOException {
        if (name.equals("seed")) {
            SeedPrices seed = new SeedPrices();
            write(seed, seed.declare(PriceIndex.builder()).build(List.of()), target);
        } else {
            MixedPrices mixed = new MixedPrices(MIXED, 50, 8, 1);
            write(mixed, mixed.declare(PriceIndex.builder()).build(List.of()), target);
        }
    }

    private static void write(Iterable<Price> prices, PriceIndex fields, Writer target) throws IOException {
        PriceWriter.csv(prices, PriceSchema.of(fields), target);
    }
}
