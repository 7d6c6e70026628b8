package dev.touchstone.builds.agent.source;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.eclipse.jgit.attributes.FilterCommand;
import org.eclipse.jgit.attributes.FilterCommandRegistry;
import org.eclipse.jgit.lib.Config;
import org.eclipse.jgit.lib.ConfigConstants;
import org.eclipse.jgit.lib.Constants;

/**
 * Leaves the pointers of large files as they are when a tree is checked out; {@link Extras} brings what they point to. Without it JGit runs whatever
 * the machine's configuration says, for each file and out of our hands.
 */
final class PointerFilter extends FilterCommand {
    /** What git's attributes call it. */
    private static final String NAME = "lfs";

    static {
        FilterCommandRegistry.register(
                Constants.BUILTIN_FILTER_PREFIX + NAME + "/" + Constants.ATTR_FILTER_TYPE_SMUDGE,
                (repository, in, out) -> new PointerFilter(in, out));
    }

    private PointerFilter(InputStream in, OutputStream out) {
        super(in, out);
    }

    /** Has checkouts by this configuration, which must not be saved, use it. */
    static void use(Config config) {
        config.setBoolean(ConfigConstants.CONFIG_FILTER_SECTION, NAME, ConfigConstants.CONFIG_KEY_USEJGITBUILTIN, true);
    }

    /** All at once; JGit calls until there is no more. */
    @Override
    public int run() throws IOException {
        try (InputStream from = in;
                OutputStream to = out) {
            from.transferTo(to);
        }
        return -1;
    }
}
