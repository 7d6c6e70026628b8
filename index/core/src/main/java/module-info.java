/** The price index: finds the price that applies among millions, in memory or from a mapped file. */
module dev.touchstone.index {
    requires static org.jspecify;
    requires com.github.benmanes.caffeine;

    exports dev.touchstone.index;
    exports dev.touchstone.index.entry;
    exports dev.touchstone.index.price;
    exports dev.touchstone.index.sample;
}
