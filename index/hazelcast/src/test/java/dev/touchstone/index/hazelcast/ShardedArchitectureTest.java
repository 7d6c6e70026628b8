package dev.touchstone.index.hazelcast;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@ArchTag("sweep")
@AnalyzeClasses(packages = "dev.touchstone.index.hazelcast", importOptions = ImportOption.DoNotIncludeTests.class)
class ShardedArchitectureTest {
    @ArchTest
    static final ArchRule usesHazelcastsApiOnly = noClasses()
            .should()
            .dependOnClassesThat(resideInAnyPackage("com.hazelcast..internal..", "com.hazelcast..impl.."));

    @ArchTest
    static final ArchRule shardsKnowNoFront = noClasses()
            .that()
            .resideInAPackage("dev.touchstone.index.hazelcast.shard")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.touchstone.index.hazelcast");
}
