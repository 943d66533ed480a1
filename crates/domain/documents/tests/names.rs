//! Names as they are written in the scripts of people who move in Canada.

/// In each script one, and one of two scripts.
pub const NAMES: [&str; 20] = [
    "محمد العلي",
    "שרה כהן",
    "김민수",
    "さくら 田中",
    "ਹਰਪ੍ਰੀਤ ਸਿੰਘ",
    "प्रिया शर्मा",
    "ঐশ্বর্যা চট্টোপাধ্যায়",
    "જયેશ પટેલ",
    "தமிழ் செல்வன்",
    "కృష్ణ",
    "ಕೃಷ್ಣ",
    "สมชาย น้ำใจ",
    "Արամ Խաչատրյան",
    "გიორგი ბერიძე",
    "አበበ ቢቂላ",
    "សុខា ស្រីមុំ",
    "ສົມສັກ ນ້ຳໃຈ",
    "အောင်ဆန်း မြင့်",
    "Sḵwx̱wú7mesh",
    "Ali علي 12",
];
