package dev.touchstone.builds.agent.source;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import org.eclipse.jgit.attributes.AttributesNode;
import org.eclipse.jgit.attributes.AttributesNodeProvider;
import org.eclipse.jgit.lib.BaseRepositoryBuilder;
import org.eclipse.jgit.lib.ObjectDatabase;
import org.eclipse.jgit.lib.RefDatabase;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.lib.StoredConfig;
import org.eclipse.jgit.storage.file.FileBasedConfig;

/**
 * A view of a mirror for JGit, with the mirror's objects and references and with a configuration of the agent's own, which is in memory and
 * empty: JGit runs no filter, follows no rewritten address and knows no attributes but those of the tree. Closing a view leaves the mirror
 * open, since opening a mirror costs more than the checkout of a small tree.
 */
final class OwnRepository extends Repository {
    private final Repository mirror;
    private final StoredConfig config; // never loaded

    private OwnRepository(BaseRepositoryBuilder<?, ?> places, Repository mirror) {
        super(places);
        this.mirror = mirror;
        this.config = new FileBasedConfig(null, new File(places.getGitDir(), "config.unused"), mirror.getFS());
    }

    /** Returns a view of {@code mirror} without a tree, to fetch into. */
    static OwnRepository of(Repository mirror) {
        BaseRepositoryBuilder<?, ?> places = new BaseRepositoryBuilder<>();
        places.setFS(mirror.getFS());
        places.setGitDir(mirror.getDirectory());
        places.setBare();
        return new OwnRepository(places, mirror);
    }

    /** Returns a view of {@code mirror} that checks out into {@code tree} by the index in the file {@code index}. */
    static OwnRepository of(Repository mirror, Path tree, Path index) {
        BaseRepositoryBuilder<?, ?> places = new BaseRepositoryBuilder<>();
        places.setFS(mirror.getFS());
        places.setGitDir(mirror.getDirectory());
        places.setWorkTree(tree.toFile());
        places.setIndexFile(index.toFile());
        return new OwnRepository(places, mirror);
    }

    @Override
    public void create(boolean bare) throws IOException {
        throw new IOException("view of mirror=" + mirror.getDirectory() + " is not a repository of its own");
    }

    @Override
    public String getIdentifier() {
        return mirror.getIdentifier();
    }

    @Override
    public ObjectDatabase getObjectDatabase() {
        return mirror.getObjectDatabase();
    }

    @Override
    public RefDatabase getRefDatabase() {
        return mirror.getRefDatabase();
    }

    @Override
    public StoredConfig getConfig() {
        return config;
    }

    @Override
    public AttributesNodeProvider createAttributesNodeProvider() {
        return new NoAttributes();
    }

    @Override
    public void scanForRepoChanges() throws IOException {
        mirror.scanForRepoChanges();
    }

    @Override
    public void notifyIndexChanged(boolean internal) {
        // nobody listens
    }

    @Override
    protected void doClose() {
        // the mirror stays open
    }

    /** Reads neither the mirror's {@code info/attributes} nor a user's file. */
    private static final class NoAttributes implements AttributesNodeProvider {
        @Override
        public AttributesNode getInfoAttributesNode() {
            return new AttributesNode();
        }

        @Override
        public AttributesNode getGlobalAttributesNode() {
            return new AttributesNode();
        }
    }
}
