package dev.touchstone.builds.agent.source;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import org.eclipse.jgit.attributes.AttributesNodeProvider;
import org.eclipse.jgit.lib.BaseRepositoryBuilder;
import org.eclipse.jgit.lib.ObjectDatabase;
import org.eclipse.jgit.lib.RefDatabase;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.lib.StoredConfig;
import org.eclipse.jgit.storage.file.FileBasedConfig;

/**
 * A tree of a mirror's with an index of its own. Objects, references and configuration are those of the mirror, which is open: to open them once more for
 * each checkout would cost more than the checkout of a small tree. Closing it leaves the mirror open.
 */
final class WorktreeRepository extends Repository {
    private final Repository mirror;
    private final StoredConfig config; // what a checkout sets stays in here

    private WorktreeRepository(BaseRepositoryBuilder<?, ?> places, Repository mirror) {
        super(places);
        this.mirror = mirror;
        this.config = new FileBasedConfig(
                mirror.getConfig(), new File(places.getGitDir(), "config.worktree"), mirror.getFS()); // not read
    }

    /** @param admin folder of the index */
    static WorktreeRepository of(Repository mirror, Path admin, Path tree) {
        BaseRepositoryBuilder<?, ?> places = new BaseRepositoryBuilder<>();
        places.setFS(mirror.getFS());
        places.setGitDir(admin.toFile());
        places.setWorkTree(tree.toFile());
        places.setIndexFile(admin.resolve("index").toFile());
        return new WorktreeRepository(places, mirror);
    }

    @Override
    public void create(boolean bare) throws IOException {
        throw new IOException("worktree of mirror=" + mirror.getDirectory() + " is not a repository of its own");
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
        return mirror.createAttributesNodeProvider();
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
}
