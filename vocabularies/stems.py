"""Stems of the names of drugs.

Generic names (INN) share stems that show the class of the substance: World Health Organization, *Use of stems in the
selection of International Nonproprietary Names (INN) for pharmaceutical substances*, Geneva 2024, ISBN
978-92-4-009938-8. Its short or ambiguous stems (-ac, -al-, -ium, -nal-, -sal-) are left out. The last group is not
from the book.
"""

from __future__ import annotations

import re

# `-mab` is a suffix, `cef-` a prefix.
STEMS = {
    "antibodies, proteins, nucleic acids": (
        "-ase -cept -cog -ermin -fusp -irudin -kin -kinra -leucel -leukin -mab -plase -poetin -rsen -siran -stim"
    ),
    "cancer and immunity": (
        "-anib -antrone -arabine -bulin -ciclib -citabine -clax -degib -estrant -golix -ifene -imod -limus -lisib"
        " -lutamide -mestane -mustine -nib -parib -platin -relin -relix -ribine -rozole -rubicin -sertib -sulfan"
        " -taxel -tecan -trexate -trexed -zomib vin-"
    ),
    "infections": (
        "-antel -azole -bactam -bendazole -cillin -conazole -cycline -ectin -fungin -kacin -micin -monam -mulin"
        " -mycin -nidazole -oxacin -oxanide -penem -planin -prim -pristin -quine -uridine -vir -virine -viroc"
        " -vudine -zolid cef- rifa-"
    ),
    "heart, vessels, kidney": (
        "-afenone -afil -alol -azosin -bradine -cainide -ciguat -dilol -dipine -dralazine -entan -etanide -ilide"
        " -kalant -kiren -olol -onidine -pamide -pamil -pril -prilat -renone -rinone -sartan -semide -thiazide"
        " -tiazem -tizide -vaptan -zolamide"
    ),
    "lipids, clotting": (
        "-fiban -fibrate -gatran -grel -imibe -opag -parin -parinux -statin -vastatin -xaban"
    ),
    "sugar, hormones": (
        "-calcet -dronate -formin -gestrel -gliflozin -glinide -gliptin -glitazar -glitazone -glutide -olone -onide"
        " -pressin -pristone -prost -steride -tide -tocin"
    ),
    "lung, gut, bladder, allergy": (
        "-astine -begron -clidinium -cromil -fenacin -fylline -lukast -milast -pitant -prazole -pride -salazine"
        " -setron -tadine -terol -tidine -tropium -verine"
    ),
    "nerves and mind": (
        "-ampanel -anserin -apine -azenil -azepam -azocine -azolam -barbital -caine -capone -clone -curium -curonium"
        " -dopa -fentanil -flurane -gabalin -gepant -giline -golide -nicline -orexant -orphan -oxetine -peridol"
        " -peridone -piprazole -plon -pramine -promazine -racetam -spirone -stigmine -thixol -tixol -toin -triptan"
        " -triptyline -zepine -zolam"
    ),
    "pain and inflammation": "-bufen -butazone -coxib -fenac -fenamate -icam -metacin -oxicam -profen",
    "enzyme inhibitors, light": "-porfin -racil -stat",
    "older endings, and those of the United States (USAN)": (
        "-amfetamine -barbitone -ctam -phylline -prostadil -prostinil -prostol -prostone -sone -sporin -sporine"
        " -tiazide"
    ),
}  # fmt: skip
MIN_LENGTH = 8

_ALL = " ".join(STEMS.values()).split()
_ENDS = tuple(stem[1:] for stem in _ALL if stem.startswith("-"))
_STARTS = tuple(stem[:-1] for stem in _ALL if stem.endswith("-"))
# Substances of the body that laboratories measure, by name or suffix: a number after one is not a dose.
_MEASURED = re.compile(
    r".*(cholinesterase|leukoproteinase|sterol)|aetiocholanolone|allantoin|androstenolone|cadaverine|cortisone|cystatin"
    r"|cytidine|dihydrouracil|dihydrouridine|fibronectin|histidine|hydrouracil|muramidase|pregnanolone|pregnenolone"
    r"|sulfatide|thyroglobulin|vasopressin"
)


def has_stem(name: str, preferred: bool = True) -> bool:
    """Return whether a lower-case word has a stem; prefixes count in preferred names only.

    Other names with such a prefix are the Latin and Spanish forms of preferred names.

    Examples
    --------
    >>> has_stem("cefazolin"), has_stem("cefazolinum", preferred=False)
    (True, False)
    """
    return len(name) >= MIN_LENGTH and (name.endswith(_ENDS) or (preferred and name.startswith(_STARTS)))


def is_measured(name: str) -> bool:
    """Return whether the name is that of a substance of the body that laboratories measure.

    Examples
    --------
    >>> is_measured("cholesterol"), is_measured("salmeterol")
    (True, False)
    """
    return _MEASURED.fullmatch(name) is not None
