package dev.touchstone.index.server;

import dev.touchstone.index.Price;
import java.io.PrintWriter;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;

/** An iterable that passes prices on, and reports their number about every second. Not thread-safe. */
final class Progress implements Iterable<Price> {
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int LOOKS = 1024; // prices between two readings of the clock

    private final Iterable<Price> prices;
    private final PrintWriter out;

    Progress(Iterable<Price> prices, PrintWriter out) {
        this.prices = prices;
        this.out = out;
    }

    @Override
    public Iterator<Price> iterator() {
        Iterator<Price> inner = prices.iterator();
        return new Iterator<>() {
            private long count;
            private long told = System.nanoTime();

            @Override
            public boolean hasNext() {
                return inner.hasNext();
            }

            @Override
            public Price next() {
                count++;
                if (count % LOOKS == 0 && System.nanoTime() - told > PERIOD_NANOS) {
                    told = System.nanoTime();
                    out.println("loading: " + count + " prices");
                }
                return inner.next();
            }
        };
    }
}
