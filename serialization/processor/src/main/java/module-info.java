/** Writes the codecs of {@code @Compact} types while they are compiled. Runs inside the compiler only. */
module dev.touchstone.serialization.processor {
    requires java.compiler;
    requires dev.touchstone.serialization;
    requires static org.jspecify;

    provides javax.annotation.processing.Processor with
            dev.touchstone.serialization.processor.CompactProcessor;
}
