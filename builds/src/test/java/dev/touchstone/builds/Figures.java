package dev.touchstone.builds;

import java.util.Locale;

/** Tells what a test has counted and measured, for {@code scripts/builds-torture} to show; nothing is judged by it. */
public final class Figures {
    private static final System.Logger LOG = System.getLogger(Figures.class.getName());

    private Figures() {}

    @SuppressWarnings("AnnotateFormatMethod") // its annotation is of another library
    public static void say(String format, Object... values) {
        LOG.log(System.Logger.Level.INFO, "FIGURE " + String.format(Locale.ROOT, format, values));
    }
}
