/**
 * Caplet that ends the start on a Java below 17 with one clear line. Compiled for Java 8, and named before {@link HarnessCaplet} in the
 * manifest, so that it runs before any class of ours that an old JVM can't load. Stands in the default package because Capsule wants so.
 */
@SuppressWarnings("DefaultPackage")
public final class JavaGate extends Capsule {
    private static final int OLDEST = 17;
    private static final int USAGE = 2;

    /** Called by Capsule; {@code previous} is the caplet before this one. */
    public JavaGate(Capsule previous) {
        super(previous);
        String version = System.getProperty("java.version");
        if (feature(version) < OLDEST) {
            STDERR.println("touchstone: needs Java " + OLDEST + " or later; this is Java " + version + " in "
                    + System.getProperty("java.home"));
            System.exit(USAGE);
        }
    }

    /** First number of any version text: 17.0.8.1, 25.0.1.0.1, 17.0.16+8, 27-ea; 1 for the old 1.8.0_292. */
    private static int feature(String version) {
        return Integer.parseInt(version.split("[^0-9]", 2)[0]);
    }
}
